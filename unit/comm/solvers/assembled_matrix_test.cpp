// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/assembled_matrix.hpp>
#include <haloheap/unit/comm/solvers/assembled_cases.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace haloheap::comm {
namespace {

using stencil::Outside;

class AssembledMatrices : public ConjugateGradients {};

/// Columns are those cells that they say, each once.
template <class Rule>
void has_the_columns_of_cells(const AssembledMatrix<typename Rule::Fields::type>& assembled,
                              const OperatorRun<Rule>& run, const RuleCase<Rule>& rule_case) {
  const auto numbers = on_host(assembled.global_numbers()), places = on_host(assembled.places());
  ASSERT_EQ(numbers.size(), static_cast<std::size_t>(assembled.rows().column_count));
  EXPECT_EQ(std::set<grid::Index>(numbers.begin(), numbers.end()).size(), numbers.size());
  std::size_t next = 0;
  for_each_value(rule_case, run.grid().own(), 1, [&](const grid::Triple& cell, int, std::size_t there) {
    EXPECT_EQ(numbers[next], static_cast<grid::Index>(there));
    EXPECT_EQ(places[next], run.layout().at(cell));
    ++next;
  });
  EXPECT_EQ(next, static_cast<std::size_t>(assembled.own_cells()));
  EXPECT_TRUE(std::is_sorted(places.begin() + assembled.own_cells(), places.end()));
}

/// @param rows of the whole matrix @param row the first of this rank's numbers
template <class T>
void has_rows(const CompressedRows<T>& found, const std::vector<grid::Index>& numbers,
              const std::vector<std::vector<double>>& wanted, double tolerance, bool own_only) {
  const auto offsets = on_host(found.offsets);
  const auto columns = on_host(found.columns);
  const auto values = on_host(found.values);
  const auto rows = static_cast<std::size_t>(found.row_count());
  ASSERT_EQ(offsets[rows], values.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const auto number = static_cast<std::size_t>(numbers[row]);
    std::vector<double> left = wanted[number];
    bool diagonal = false;
    for (std::size_t entry = offsets[row]; entry < offsets[row + 1]; ++entry) {
      EXPECT_TRUE(entry == offsets[row] || columns[entry - 1] < columns[entry]);
      ASSERT_LT(columns[entry], found.column_count);
      const auto column = static_cast<std::size_t>(numbers[static_cast<std::size_t>(columns[entry])]);
      diagonal = diagonal || column == number;
      EXPECT_TRUE(values[entry] != 0 || column == number);
      EXPECT_NEAR(static_cast<double>(values[entry]), left[column], tolerance) << number << ' ' << column;
      left[column] = 0;
    }
    EXPECT_TRUE(diagonal);
    if (own_only)
      for (std::size_t column = rows; column < numbers.size(); ++column)
        left[static_cast<std::size_t>(numbers[column])] = 0;
    for (const double value : left) EXPECT_EQ(value, 0);
  }
}

template <class Rule>
void is_the_matrix_of_its_operator(const Communicator& world, const RuleCase<Rule>& rule_case,
                                   double tolerance, int depth = 1) {
  const auto wanted = dense(rule_case);
  for (const grid::Triple& ranks : rank_grids(world.size(), Rule::dims)) {
    if (!fits(rule_case, ranks)) continue;
    const OperatorRun<Rule> run(world, rule_case, ranks, depth);
    const AssembledMatrix<typename Rule::Fields::type> assembled(run.matrix());
    has_the_columns_of_cells(assembled, run, rule_case);
    const auto numbers = on_host(assembled.global_numbers());
    has_rows(assembled.rows(), numbers, wanted, tolerance, false);
    has_rows(assembled.own_block(), numbers, wanted, tolerance, true);
    EXPECT_EQ(assembled.own_block().column_count, assembled.own_cells());
  }
}

template <class T, int Dims, int Radius>
RuleCase<Scattered<T, Dims, Radius>> scattered(const grid::Triple& cells, const stencil::SideRules& sides,
                                               std::uint32_t seed) {
  return {{seed}, sides, cells, as<T>(drawn(static_cast<std::size_t>(product(cells)), seed, -1, 1)), {}};
}

TEST_F(AssembledMatrices, have_the_rows_of_any_operator) {
  std::uint32_t seed = 1;
  for (const auto& sides : all_linear_sides(2)) {
    for (const grid::Triple& cells : {grid::Triple{11, 8, 1}, {7, 13, 1}, {4, 5, 1}})
      is_the_matrix_of_its_operator(world, scattered<double, 2, 1>(cells, sides, ++seed), 0);
    for (const grid::Triple& cells : {grid::Triple{13, 9, 1}, {8, 11, 1}, {4, 6, 1}})
      is_the_matrix_of_its_operator(world, scattered<double, 2, 2>(cells, sides, ++seed), 0);
  }
}

/// Where a grid wraps around in fewer cells than there are colours, a rule reads the same cell several times.
TEST_F(AssembledMatrices, have_one_column_for_cells_that_are_met_twice) {
  std::uint32_t seed = 50;
  for (const grid::Triple& cells :
       {grid::Triple{1, 9, 1}, {2, 8, 1}, {3, 4, 1}, {4, 4, 1}, {5, 2, 1}, {2, 2, 1}}) {
    is_the_matrix_of_its_operator(world, scattered<double, 2, 1>(cells, {}, ++seed), 0);
    is_the_matrix_of_its_operator(world, scattered<double, 2, 2>(cells, {}, ++seed), 0);
  }
}

TEST_F(AssembledMatrices, have_the_rows_of_operators_in_three_dimensions) {
  std::uint32_t seed = 100;
  for (const auto& sides : all_linear_sides(3)) {
    is_the_matrix_of_its_operator(world, scattered<float, 3, 1>({5, 4, 6}, sides, ++seed), 0);
    is_the_matrix_of_its_operator(world, scattered<float, 3, 2>({4, 5, 4}, sides, ++seed), 0);
  }
}

TEST_F(AssembledMatrices, have_the_rows_of_operators_with_constants) {
  for (const auto& sides : all_linear_sides(2)) {
    is_the_matrix_of_its_operator(world, conduction<double, 2>({12, 9, 1}, sides), 1e-9);
    is_the_matrix_of_its_operator(world, conduction<double, 2>({12, 9, 1}, sides), 1e-9, 3);
  }
  for (const auto& sides : linear_sides(3))
    is_the_matrix_of_its_operator(world, conduction<double, 3>({6, 5, 5}, sides), 1e-9);
}

TEST_F(AssembledMatrices, copy_fields_to_vectors_and_back) {
  const auto rule_case = scattered<double, 2, 2>({12, 10, 1}, linear_sides(2)[3], 7);
  for (const grid::Triple& ranks : rank_grids(world.size(), 2)) {
    OperatorRun<Scattered<double, 2, 2>> run(world, rule_case, ranks);
    const AssembledMatrix<double> assembled(run.matrix());
    const auto x = run.field(rule_case.start), y = run.field(std::vector<double>(rule_case.start.size()));
    run.apply(instance.exec(), x, y, true);  // fills what is around x
    const auto columns = static_cast<std::size_t>(assembled.rows().column_count);
    const Kokkos::View<double*> own("own", columns), all("all", columns);
    Kokkos::deep_copy(own, 100.0);
    Kokkos::fence();
    assembled.pack(instance.exec(), x.data(), own.data());
    assembled.pack_all(instance.exec(), x.data(), all.data());
    assembled.unpack(instance.exec(), own.data(), y.data());
    backend::wait_for(instance.exec());
    EXPECT_EQ(run.different(y, rule_case.start), 0);
    const auto numbers = on_host(assembled.global_numbers());
    const auto own_values = on_host(own), all_values = on_host(all);
    for (std::size_t column = 0; column < columns; ++column) {
      const double wanted = rule_case.start[static_cast<std::size_t>(numbers[column])];
      EXPECT_EQ(all_values[column], wanted);
      EXPECT_EQ(own_values[column],
                column < static_cast<std::size_t>(assembled.own_cells()) ? wanted : 100.0);
    }
  }
}

TEST_F(AssembledMatrices, tell_whether_their_diagonal_can_be_divided_by) {
  const auto ranks = rank_grids(world.size(), 2).front();
  const auto wrong = [&](const RuleCase<Conduction<double, 2>>& rule_case) {
    const OperatorRun<Conduction<double, 2>> run(world, rule_case, ranks);
    const AssembledMatrix<double> assembled(run.matrix());
    return unusable_diagonals(world, instance.exec(), assembled.rows());
  };
  auto rule_case = conduction<double, 2>({12, 8, 1}, {}, 1);
  EXPECT_EQ(wrong(rule_case), 0);
  rule_case.constants[40] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(wrong(rule_case), 5);
  rule_case.constants.assign(rule_case.constants.size(), 0);
  rule_case.rule.shift = 0;
  EXPECT_EQ(wrong(rule_case), 96);
}

TEST_F(AssembledMatrices, know_a_pattern_without_symmetry) {
  const auto rule_case = scattered<double, 2, 1>({12, 8, 1}, linear_sides(2)[1], 3);
  const OperatorRun<Scattered<double, 2, 1>> run(world, rule_case, rank_grids(world.size(), 2).front());
  EXPECT_FALSE(has_symmetric_pattern(instance.exec(), AssembledMatrix<double>(run.matrix()).own_block()));
  const auto symmetric = conduction<double, 2>({12, 8, 1}, linear_sides(2)[1]);
  const OperatorRun<Conduction<double, 2>> other(world, symmetric, rank_grids(world.size(), 2).front());
  EXPECT_TRUE(has_symmetric_pattern(instance.exec(), AssembledMatrix<double>(other.matrix()).own_block()));
}

}  // namespace
}  // namespace haloheap::comm
