// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/pipelined_conjugate_gradient.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/solvers/solver_runs.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace haloheap::comm {
namespace {

class PipelinedConjugateGradients : public ConjugateGradients {
 protected:
  grid::Triple some_ranks() const { return rank_grids(world.size(), 2).front(); }

  auto found(const RuleCase<Conduction<double, 2>>& rule_case, const SolverConfig& config) const {
    return solve<PipelinedConjugateGradient>(world, rule_case, some_ranks(), config).solution;
  }
};

TEST_F(PipelinedConjugateGradients, make_the_iterations_of_the_others_with_the_same_bits_on_every_rank_grid) {
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi})
    for (const auto& sides : linear_sides(2)) {
      const auto rule_case = conduction<double, 2>({13, 11, 1}, sides, 50);
      const SolverConfig config{.tolerance = 1e-10, .preconditioner = preconditioner, .replace_interval = 20};
      const auto classic = solve(alone, rule_case, {1, 1, 1}, config);
      const auto serial = solve<PipelinedConjugateGradient>(alone, rule_case, {1, 1, 1}, config);
      EXPECT_TRUE(serial.solution.converged());
      EXPECT_LT(serial.error, 1e-7);
      EXPECT_NEAR(serial.solution.iterations, classic.solution.iterations,
                  2 + 0.1 * classic.solution.iterations);
      EXPECT_EQ(serial.solution.history.size(), static_cast<std::size_t>(serial.solution.iterations) + 1);
      for (std::size_t i = 0; i < 10; ++i)  // later ones differ by what rounding makes of them
        EXPECT_NEAR(serial.solution.history[i], classic.solution.history[i],
                    1e-8 * classic.solution.history[i]);
      for (const grid::Triple& ranks : rank_grids(world.size(), 2)) {
        const auto other = solve<PipelinedConjugateGradient>(world, rule_case, ranks, config);
        same_bits<Conduction<double, 2>>(other.solution, serial.solution);
        EXPECT_EQ(other.error, serial.error);
      }
    }
}

TEST_F(PipelinedConjugateGradients, do_not_depend_on_the_transport) {
  const auto rule_case = conduction<double, 2>({24, 24, 1}, linear_sides(2)[2]);
  SolverConfig config{.tolerance = 1e-9, .preconditioner = Preconditioner::jacobi};
  const auto wanted = solve<PipelinedConjugateGradient>(alone, rule_case, {1, 1, 1}, config).solution;
  for (const std::string& transport : transport_names()) {
    SCOPED_TRACE(transport);
    config.halo.transport = transport;
    same_bits<Conduction<double, 2>>(found(rule_case, config), wanted);
  }
}

/// Recurrences drift from what they stand for, each so many iterations or not before that is noticed.
TEST_F(PipelinedConjugateGradients, are_put_right_by_residuals_that_are_computed_anew) {
  const auto rule_case = conduction<double, 2>({60, 60, 1}, linear_sides(2)[1], 1e4);
  for (const int interval : {7, 50, 10000}) {
    const Solution end =
        found(rule_case,
              {.tolerance = 1e-13, .preconditioner = Preconditioner::jacobi, .replace_interval = interval});
    EXPECT_TRUE(end.converged());
    EXPECT_LE(end.residual, 2e-13 * end.history.front());
  }
}

TEST_F(PipelinedConjugateGradients, stop_where_rounding_leaves_no_smaller_residual) {
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi}) {
    const auto rule_case = conduction<double, 2>({30, 30, 1}, linear_sides(2)[2], 10);
    const auto end = solve<PipelinedConjugateGradient>(
        alone, rule_case, {1, 1, 1},
        {.tolerance = 1e-19, .max_iterations = 2000, .preconditioner = preconditioner});
    EXPECT_EQ(end.solution.reason, StopReason::stagnated);
    EXPECT_LT(end.solution.residual, 1e-11 * end.solution.history.front());
    EXPECT_LT(end.error, 1e-9);
  }
}

TEST_F(PipelinedConjugateGradients, stop_where_there_is_nothing_to_do) {
  const auto rule_case = conduction<double, 2>({16, 16, 1}, {});
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, some_ranks());
  const std::vector<double> zeros(rule_case.start.size());
  const auto b = run.field(zeros), x = run.field(zeros), start = run.field(rule_case.start);
  const Solution solution = PipelinedConjugateGradient<double>(run.matrix(), {}, b, x).solve(instance.exec());
  EXPECT_TRUE(solution.converged());
  EXPECT_EQ(solution.iterations, 0);
  EXPECT_EQ(solution.history, std::vector<double>{0});
  PipelinedConjugateGradient<double> one(run.matrix(), {.tolerance = 0, .max_iterations = 1}, b, start);
  for (int call = 0; call < 2; ++call) {  // goes on from where it has stopped
    const Solution few = one.solve(instance.exec());
    EXPECT_EQ(few.reason, StopReason::iterations);
    EXPECT_EQ(few.iterations, 1);
    EXPECT_NEAR(few.residual, few.history.back(), 1e-9 * few.residual);
  }
}

TEST_F(PipelinedConjugateGradients, say_what_is_wrong_with_an_operator) {
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi}) {
    const SolverConfig config{.tolerance = 1e-9, .preconditioner = preconditioner};
    auto negative = conduction<double, 2>({16, 16, 1}, {});
    negative.rule.shift = -1e6;
    EXPECT_EQ(found(negative, config).reason, StopReason::indefinite);
    auto broken = conduction<double, 2>({16, 16, 1}, {});
    broken.constants[37] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(found(broken, config).reason, StopReason::not_a_number);
  }
  auto saddle = conduction<double, 2>({16, 16, 1}, {});  // of both signs: found on the way
  saddle.rule.shift = -0.5;
  EXPECT_EQ(found(saddle, {.tolerance = 1e-12}).reason, StopReason::indefinite);
}

TEST_F(PipelinedConjugateGradients, misuse_is_told) {
  const auto rule_case = conduction<double, 2>({16, 16, 1}, {});
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, some_ranks());
  const auto b = run.field(rule_case.start), x = run.field(rule_case.start);
  const auto throws = [&](const SolverConfig& config) {
    EXPECT_THROW(PipelinedConjugateGradient<double>(run.matrix(), config, b, x), UsageError);
  };
  throws({.preconditioner = Preconditioner::polynomial});
  throws({.replace_interval = 0});
}

}  // namespace
}  // namespace haloheap::comm
