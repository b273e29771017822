// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// How a device's threads go through own cells, on this thread.
#include <haloheap/comm/solvers/fold_dots.hpp>
#include <haloheap/comm/solvers/own_cells.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace haloheap::comm::detail {
namespace {

/// Counts its calls in each cell of a field, and adds up the values of another.
struct Whole {
  static constexpr int dots = 1;
  const double* values;
  int* visits;

  KOKKOS_FUNCTION stencil::Values<double, 1> operator()(const grid::Triple& /*cell*/, grid::Index at) const {
    ++visits[at];
    return {{values[at]}};
  }
};

/// The same in two halves: the field that is added up is overwritten.
template <int Rows>
struct Halves {
  static constexpr int dots = 1;
  static constexpr int rows_at_once = Rows;
  double* values;
  int* visits;

  struct Values {
    double value;
  };
  KOKKOS_FUNCTION Values read(const grid::Triple& /*cell*/, grid::Index at) const { return {values[at]}; }
  KOKKOS_FUNCTION stencil::Values<double, 1> write(grid::Index at, const Values& of) const {
    ++visits[at];
    values[at] = -1;
    return {{of.value}};
  }
};

template <class Body>
void check(int dims, const grid::Triple& own, grid::Index rows_a_thread) {
  const grid::FieldLayout layout = grid::make_field_layout(dims, own, 1, 1, sizeof(double));
  std::vector<double> values(static_cast<std::size_t>(layout.size()));
  std::iota(values.begin(), values.end(), 1.0);
  std::vector<int> visits(values.size(), 0);
  double expected = 0;
  testing::for_each_cell(layout.own_box(), [&](const grid::Triple& cell) {
    expected += values[static_cast<std::size_t>(layout.at(cell))];
  });

  DotTarget target;
  target.scales[0] = stencil::SumScale::make(0, 1e6, product(own));
  OwnCells<Body> kernel(Body{values.data(), visits.data()}, layout, target);
  kernel.rows_a_thread = rows_a_thread;
  const grid::Index rows = own.y * own.z, threads = own.x * ((rows + rows_a_thread - 1) / rows_a_thread);
  std::vector<double> words(residual_parts, 0.0);
  for (grid::Index i = 0; i < threads; ++i) {
    DotSums<1> sums;
    kernel.go_through_rows(i, sums);
    for (int part = 0; part < residual_parts; ++part)
      words[static_cast<std::size_t>(part)] += sums.parts[0][part];
  }
  EXPECT_EQ(rounded_sum(words.data()), expected);
  const grid::Box box = layout.own_box();
  const auto is_own = [&](const grid::Triple& cell) {
    return grid::intersect(box, {cell, {cell.x + 1, cell.y + 1, cell.z + 1}}).cells() == 1;
  };
  testing::for_each_cell(grown(box, dims, 1), [&](const grid::Triple& cell) {
    EXPECT_EQ(visits[static_cast<std::size_t>(layout.at(cell))], is_own(cell) ? 1 : 0)
        << cell.x << " " << cell.y << " " << cell.z;
  });
}

template <class Body>
class OwnCellsOfDevices : public ::testing::Test {};
using Bodies = ::testing::Types<Whole, Halves<1>, Halves<2>, Halves<3>>;
TYPED_TEST_SUITE(OwnCellsOfDevices, Bodies);

TYPED_TEST(OwnCellsOfDevices, are_each_visited_once) {
  if (!backend::kernels_on_host) GTEST_SKIP() << "the other tests run them";
  for (const grid::Index rows_a_thread : {1, 2, 3, 4}) {
    for (const grid::Index rows : {1, 2, 3, 4, 5, 7, 8, 9}) check<TypeParam>(2, {5, rows, 1}, rows_a_thread);
    check<TypeParam>(2, {1, 13, 1}, rows_a_thread);
    check<TypeParam>(3, {3, 1, 7}, rows_a_thread);
    check<TypeParam>(3, {4, 3, 5}, rows_a_thread);
    check<TypeParam>(3, {2, 6, 3}, rows_a_thread);
  }
}

}  // namespace
}  // namespace haloheap::comm::detail
