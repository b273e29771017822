// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with an operator, as every solver tells it.
#include <haloheap/comm/solvers/gmres.hpp>
#include <haloheap/comm/solvers/multigrid.hpp>
#include <haloheap/comm/solvers/pipelined_conjugate_gradient.hpp>
#include <haloheap/comm/solvers/s_step_conjugate_gradient.hpp>
#include <haloheap/unit/comm/solvers/solver_runs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace haloheap::comm {

/// Each row of a Laplace operator, which adds up to 0, times a number of its own: columns do not.
struct Weighted {
  using Fields = stencil::Fields<double>;
  using Constants = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    return cell.constant(0) * (4 * cell(0) - cell(0, 1, 0) - cell(0, -1, 0) - cell(0, 0, 1) - cell(0, 0, -1));
  }
};

namespace {

using Case = RuleCase<Conduction<double, 2>>;

class BadOperators : public ConjugateGradients {
 protected:
  using Ends = std::function<StopReason(const Case&, const std::vector<double>&)>;
  struct Named {
    std::string name;
    Ends ends;
  };

  template <template <class> class Solver>
  Named named(const std::string& name, const SolverConfig& config = {}) const {
    return {name, [this, config](const Case& rule_case, const std::vector<double>& right) {
              const OperatorRun<Conduction<double, 2>> run(
                  world, rule_case, rank_grids(world.size(), 2).front(), multigrid_depth(2));
              const auto b = run.field(right), x = run.field(std::vector<double>(right.size()));
              SolverConfig some = config;
              some.tolerance = 1e-9;
              some.max_iterations = std::min(config.max_iterations, 400);
              return Solver<double>(run.matrix(), some, b, x).solve(instance.exec()).reason;
            }};
  }
  std::vector<Named> solvers() const {
    return {named<ConjugateGradient>("cg"),
            named<ConjugateGradient>("cg, jacobi", {.preconditioner = Preconditioner::jacobi}),
            named<ConjugateGradient>("cg, polynomial", {.preconditioner = Preconditioner::polynomial}),
            named<ConjugateGradient>("cg, multigrid", {.preconditioner = Preconditioner::multigrid}),
            named<PipelinedConjugateGradient>("pipelined_cg"),
            named<SStepConjugateGradient>("s_step_cg"),
            named<Chebyshev>("chebyshev"),
            named<BiCGStab>("bicgstab"),
            named<Gmres>("gmres"),
            named<Multigrid>("multigrid")};
  }
  static Case conducting(double shift) {
    Case made = conduction<double, 2>({24, 20, 1}, {}, 10);
    made.rule.shift = shift;
    return made;
  }
  static bool takes_any_sign(const std::string& solver) { return solver == "bicgstab" || solver == "gmres"; }
};

TEST_F(BadOperators, without_a_solution_are_singular) {
  const Case singular = conducting(0);
  for (const Named& solver : solvers()) {
    SCOPED_TRACE(solver.name);
    EXPECT_EQ(solver.ends(singular, right_side(singular, singular.start)), StopReason::converged);
    EXPECT_EQ(solver.ends(singular, drawn(480, 8, 1, 2)), StopReason::singular);
    EXPECT_EQ(solver.ends(singular, drawn(480, 8, -2, -1)), StopReason::singular);
  }
  const grid::Triple ranks = rank_grids(world.size(), 2).front();
  EXPECT_EQ(solve(world, singular, ranks, {.tolerance = 1e-9, .max_iterations = 3}).solution.reason,
            StopReason::iterations);
}

/// The right side does not add up to 0, and yet there is a solution.
TEST_F(BadOperators, whose_columns_do_not_add_up_to_0_are_not_called_singular) {
  const RuleCase<Weighted> weighted{{}, {}, {24, 20, 1}, drawn(480, 1, -1, 1), drawn(480, 2, 0.5, 2)};
  const grid::Triple ranks = rank_grids(world.size(), 2).front();
  SolverConfig config{.tolerance = 1e-9, .max_iterations = 2000, .restart = 200};
  EXPECT_EQ(solve<Gmres>(world, weighted, ranks, config).solution.reason, StopReason::converged);
  config.max_iterations = 3;
  EXPECT_EQ(solve<Gmres>(world, weighted, ranks, config).solution.reason, StopReason::iterations);
}

/// Its columns add up to so little that it does not show in the sum of what a right side becomes.
TEST_F(BadOperators, that_are_nearly_singular_have_solutions) {
  std::vector<double> right = drawn(480, 8, -1, 1);
  const double mean = std::accumulate(right.begin(), right.end(), 0.0) / 480;
  for (double& value : right) value += 1e-6 - mean;
  const Named few = named<ConjugateGradient>("cg", {.max_iterations = 3});
  EXPECT_EQ(few.ends(conducting(1e-9), right), StopReason::iterations);
  EXPECT_EQ(few.ends(conducting(0), right), StopReason::singular);
}

TEST_F(BadOperators, of_the_wrong_sign_are_indefinite) {
  const Case negative = conducting(-1e6), saddle = conducting(-0.5);
  for (const Named& solver : solvers()) {
    if (takes_any_sign(solver.name)) continue;
    SCOPED_TRACE(solver.name);
    EXPECT_EQ(solver.ends(negative, right_side(negative, negative.start)), StopReason::indefinite);
    EXPECT_EQ(solver.ends(saddle, right_side(saddle, saddle.start)), StopReason::indefinite);
  }
}

TEST_F(BadOperators, with_what_is_no_number_say_so) {
  const std::vector<double> right = drawn(480, 8, -1, 1);
  Case broken = conducting(1), infinite = conducting(std::numeric_limits<double>::infinity());
  broken.constants[37] = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> broken_right = right;
  broken_right[100] = std::numeric_limits<double>::quiet_NaN();
  for (const Named& solver : solvers()) {
    SCOPED_TRACE(solver.name);
    EXPECT_EQ(solver.ends(broken, right), StopReason::not_a_number);
    EXPECT_EQ(solver.ends(infinite, right), StopReason::not_a_number);
    EXPECT_EQ(solver.ends(conducting(1), broken_right), StopReason::not_a_number);
  }
}

}  // namespace
}  // namespace haloheap::comm
