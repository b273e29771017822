// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Operators in three dimensions, in float and without any symmetry: apart from the others, since each kind is
// another dozen of kernels to compile.
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/solvers/solver_runs.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace haloheap::comm {
namespace {

class OtherOperators : public ConjugateGradients {};

TEST_F(OtherOperators, are_solved_with_the_same_bits) {
  for (const auto& sides : linear_sides(3)) {
    const auto rule_case = conduction<double, 3>({12, 9, 10}, sides);
    const SolverConfig config{.tolerance = 1e-10, .preconditioner = Preconditioner::jacobi};
    const auto serial = solve(alone, rule_case, {1, 1, 1}, config);
    EXPECT_TRUE(serial.solution.converged());
    EXPECT_LT(serial.error, 1e-6);
    for (const grid::Triple& ranks : rank_grids(world.size(), 3))
      same_bits<Conduction<double, 3>>(solve(world, rule_case, ranks, config).solution, serial.solution);
  }
  const auto rule_case = conduction<float, 2>({17, 21, 1}, linear_sides(2)[2], 10);
  const SolverConfig config{.tolerance = 1e-5, .preconditioner = Preconditioner::jacobi};
  const auto serial = solve(alone, rule_case, {1, 1, 1}, config);
  EXPECT_TRUE(serial.solution.converged());
  EXPECT_LT(serial.error, 1e-2);
  for (const grid::Triple& ranks : rank_grids(world.size(), 2))
    same_bits<Conduction<float, 2>>(solve(world, rule_case, ranks, config).solution, serial.solution);
}

TEST_F(OtherOperators, are_solved_by_bicgstab) {
  const auto rule_case = conduction<float, 2>({19, 18, 1}, linear_sides(2)[2], 10);
  const auto found = solve<BiCGStab>(world, rule_case, rank_grids(world.size(), 2).front(),
                                     {.tolerance = 1e-5, .preconditioner = Preconditioner::jacobi});
  EXPECT_TRUE(found.solution.converged());
  EXPECT_LT(found.error, 1e-2);
}

/// Skew: no residual has anything in common with what the operator makes of it.
struct Skew {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    return cell(0, 1, 0) - cell(0, -1, 0);
  }
};

TEST_F(OtherOperators, bicgstab_says_where_it_breaks_down) {
  std::vector<double> whole = drawn(256, 7, -8, 8);
  for (double& value : whole) value = std::floor(value);  // so that products are exact
  const RuleCase<Skew> rule_case{{}, {}, {16, 16, 1}, whole, {}};
  const grid::Triple ranks = rank_grids(world.size(), 2).front();
  EXPECT_EQ(solve<BiCGStab>(world, rule_case, ranks, {}).solution.reason, StopReason::breakdown);
  const OperatorRun<Skew> run(world, rule_case, ranks);
  const auto b = run.field(whole), x = run.field(whole);
  const SolverConfig config{.preconditioner = Preconditioner::polynomial};
  EXPECT_THROW(BiCGStab<double>(run.matrix(), config, b, x), UsageError);
}

TEST_F(OtherOperators, do_what_their_rule_says) {
  for (const auto& sides : linear_sides(3)) {
    applies_like_the_serial_one(world, instance.exec(), conduction<double, 3>({9, 8, 10}, sides));
    has_the_diagonal_of_its_matrix(world, instance.exec(), conduction<double, 3>({6, 7, 6}, sides, 1));
  }
}

}  // namespace
}  // namespace haloheap::comm
