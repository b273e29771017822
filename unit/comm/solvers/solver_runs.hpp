// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_SOLVERS_SOLVER_RUNS_HPP
#define HALOHEAP_UNIT_COMM_SOLVERS_SOLVER_RUNS_HPP

#include <haloheap/comm/solvers/bicgstab.hpp>
#include <haloheap/comm/solvers/chebyshev.hpp>
#include <haloheap/unit/comm/solvers/solver_cases.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>
#include <utility>

namespace haloheap::comm {

class ConjugateGradients : public ::testing::Test {
 protected:
  const Communicator world{MPI_COMM_WORLD}, alone{MPI_COMM_SELF};
  const backend::Instance instance{backend::Priority::low};

  /// b of which `solution` is the solution, by the serial meaning of the rule.
  template <class Rule>
  static auto right_side(RuleCase<Rule> rule_case, const std::vector<typename Rule::Fields::type>& solution) {
    rule_case.start = solution;
    return rule_case.after(1);
  }

  template <class Rule>
  struct Solved {
    Solution solution;
    double error;
    memory::Array<typename Rule::Fields::type> x;
  };
  template <template <class> class Solver = ConjugateGradient, class Rule>
  auto solve(const Communicator& communicator, const RuleCase<Rule>& rule_case, const grid::Triple& ranks,
             const SolverConfig& config, int depth = 1) const {
    using T = typename Rule::Fields::type;
    const OperatorRun<Rule> run(communicator, rule_case, ranks, depth);
    const auto b = run.field(right_side(rule_case, rule_case.start));
    auto x = run.field(std::vector<T>(rule_case.start.size()));
    Solver<T> solver(run.matrix(), config, b, x);
    const Solution solution = solver.solve(instance.exec());
    const double error = communicator.max(run.largest_difference(x, rule_case.start));
    return Solved<Rule>{solution, error, std::move(x)};
  }
};

template <class Rule>
void same_bits(const Solution& one, const Solution& other) {
  EXPECT_EQ(one.reason, other.reason);
  EXPECT_EQ(one.iterations, other.iterations);
  EXPECT_EQ(one.history, other.history);
  EXPECT_EQ(one.residual, other.residual);
}

template <class Rule>
void applies_like_the_serial_one(const Communicator& world, const backend::Exec& exec,
                                 RuleCase<Rule> rule_case) {
  for (const grid::Triple& ranks : rank_grids(world.size(), Rule::dims)) {
    OperatorRun<Rule> run(world, rule_case, ranks);
    const auto x = run.field(rule_case.start), y = run.field(rule_case.start);
    run.apply(exec, x, y, false);
    EXPECT_EQ(run.different(y, rule_case.after(1)), 0);
    RuleCase<Rule> homogeneous = rule_case;
    homogeneous.sides = detail::homogeneous(rule_case.sides);
    run.apply(exec, x, y, true);
    EXPECT_EQ(run.different(y, homogeneous.after(1)), 0);
  }
}

template <class Rule>
void has_the_diagonal_of_its_matrix(const Communicator& world, const backend::Exec& exec,
                                    const RuleCase<Rule>& rule_case) {
  using T = typename Rule::Fields::type;
  const auto matrix = dense(rule_case);
  std::vector<T> wanted(matrix.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<T>(matrix[i][i]);
  for (const grid::Triple& ranks : rank_grids(world.size(), Rule::dims)) {
    OperatorRun<Rule> run(world, rule_case, ranks);
    const auto diagonal = run.field(rule_case.start);
    run.matrix().kernels().diagonal(exec, diagonal.data(), false);
    backend::wait_for(exec);
    EXPECT_LT(run.largest_difference(diagonal, wanted), 1e-12);
  }
}

}  // namespace haloheap::comm

#endif
