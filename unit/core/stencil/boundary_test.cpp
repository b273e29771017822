// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/stencil/boundaries.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>
#include <haloheap/unit/core/stencil/shapes.hpp>
#include <haloheap/unit/core/stencil/stencil_kernels.hpp>

#include <gtest/gtest.h>

namespace haloheap::stencil {
namespace {

using namespace testing;
using grid::Box, grid::Boundary, grid::FieldLayout, grid::Index, grid::Triple;
using Kind = grid::BoundaryKind;

struct BoundarySetting {
  Boundary boundary;
  FieldLayout layout;
  Triple cells;
  Box own;
};

/// The value that the boundary gives to a local cell, or where it comes from. Returns false for cells inside.
bool outside_source(const BoundarySetting& s, const Triple& cell, bool& fixed, Triple& source) {
  fixed = false;
  source = cell;
  bool outside = false;
  for (int dim = 0; dim < s.layout.dims; ++dim) {
    const Index global = cell[dim] + s.own.lo[dim];
    const bool low = global < 0, high = global >= s.cells[dim];
    if ((!low && !high) || s.boundary.periodic(dim)) continue;
    outside = true;
    if (s.boundary.side(dim, high) == Kind::dirichlet)
      fixed = true;
    else
      source[dim] = (low ? -1 - global : 2 * s.cells[dim] - 1 - global) - s.own.lo[dim];
  }
  return outside;
}

template <class T>
void check_sides(const BoundarySetting& s, const Box& region, const Box& except) {
  const auto before = random_values<T>(s.layout.size(), 7);
  const auto field = make_device_array(before);
  const Kokkos::DefaultExecutionSpace exec;
  StencilKernels<T>(lopsided({s.layout.dims, StencilShape::star, 1}), s.layout, s.boundary, s.cells, s.own)
      .impose(exec, field.data(), region, except);
  exec.fence("haloheap::unit::boundary");
  auto expected = before;
  for (int quantity = 0; quantity < s.layout.quantities; ++quantity)
    for_each_cell(region, [&](const Triple& cell) {
      bool fixed = false;
      Triple source;
      if (contains(except, cell) || !outside_source(s, cell, fixed, source)) return;
      const auto at = [&](const Triple& c) { return static_cast<std::size_t>(s.layout.at(c, quantity)); };
      expected[at(cell)] = fixed ? static_cast<T>(s.boundary.value) : before[at(source)];
    });
  EXPECT_EQ(difference(to_host(field), expected), "") << "own " << text(s.own) << ", region " << text(region);
}

BoundarySetting make_setting(int dims, const Boundary& boundary, const Triple& part, std::size_t bytes) {
  // Three parts a dimension: one at the low side, one in the middle, one at the high side.
  BoundarySetting s{boundary, {}, {15, 12, dims == 3 ? 9 : 1}, {}};
  for (int dim = 0; dim < 3; ++dim) {
    const Index n = dim < dims ? s.cells[dim] / 3 : 1;
    s.own.lo[dim] = part[dim] * n;
    s.own.hi[dim] = s.own.lo[dim] + n;
  }
  s.layout = grid::make_field_layout(dims, {s.own.extent(0), s.own.extent(1), s.own.extent(2)}, 3, 2, bytes);
  return s;
}

template <class T>
class BoundaryOf : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(BoundaryOf, Precisions);

TYPED_TEST(BoundaryOf, every_kind_on_every_side_of_a_two_dimensional_grid) {
  for (int x = 0; x < 5; ++x)
    for (int y = 0; y < 5; ++y)
      for (Index part = 0; part < 9; ++part) {
        const BoundarySetting s =
            make_setting(2, make_boundary(x, y, 0), {part % 3, part / 3, 0}, sizeof(TypeParam));
        for (const Index by : {1, 3}) check_sides<TypeParam>(s, grown(s.layout.own_box(), 2, by), {});
        check_sides<TypeParam>(s, grown(s.layout.own_box(), 2, 3), grown(s.layout.own_box(), 2, 1));
        check_sides<TypeParam>(s, {{-2, 1, 0}, {2, 7, 1}}, {{-1, -1, 0}, {0, 3, 1}});
        check_sides<TypeParam>(s, {}, {});
      }
}

TYPED_TEST(BoundaryOf, every_kind_on_every_side_of_a_three_dimensional_grid) {
  for (int kinds = 0; kinds < 125; ++kinds) {
    const Triple part{kinds % 3, kinds / 3 % 3, kinds / 9 % 3};
    for (const Triple& at : {part, Triple{0, 0, 0}, Triple{2, 2, 2}}) {
      const BoundarySetting s =
          make_setting(3, make_boundary(kinds % 5, kinds / 5 % 5, kinds / 25), at, sizeof(TypeParam));
      check_sides<TypeParam>(s, grown(s.layout.own_box(), 3, 3), grown(s.layout.own_box(), 3, 1));
      check_sides<TypeParam>(s, grown(s.layout.own_box(), 3, 2), {});
    }
  }
}

TYPED_TEST(BoundaryOf, one_rank_that_touches_both_sides) {
  for (int kinds = 0; kinds < 25; ++kinds) {
    BoundarySetting s{make_boundary(kinds % 5, kinds / 5, 0), {}, {3, 4, 1}, {{0, 0, 0}, {3, 4, 1}}};
    s.layout = grid::make_field_layout(2, s.cells, 3, 1, sizeof(TypeParam));
    check_sides<TypeParam>(s, grown(s.layout.own_box(), 2, 3), {});
  }
}

TEST(Boundary, says_how_far_the_grid_reaches) {
  BoundarySetting s = make_setting(2, make_boundary(1, 0, 0), {1, 1, 0}, 4);
  const Box inside = grid::whole_grid(2, {false, true, true}, s.cells, s.own);
  EXPECT_EQ(inside.lo.x, -5);
  EXPECT_EQ(inside.hi.x, 10);
  EXPECT_LT(inside.lo.y, -1000000000);  // periodic: no end
  EXPECT_GT(inside.hi.y, 1000000000);
}

}  // namespace
}  // namespace haloheap::stencil
