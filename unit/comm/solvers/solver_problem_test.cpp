// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/solver_problem.hpp>

#include <gtest/gtest.h>

namespace haloheap::comm {
namespace {

/// The names of the preconditioners that a method may have.
std::string known_to(SolverMethod method) {
  std::string known;
  for (const std::string& name : all_names<Preconditioner>())
    if (!solver_problem(method, {.preconditioner = from_name<Preconditioner>(name)})) known += name + " ";
  return known;
}

TEST(SolverProblem, is_a_preconditioner_that_the_method_does_not_know) {
  EXPECT_EQ(known_to(SolverMethod::cg), "none jacobi polynomial multigrid ");
  EXPECT_EQ(known_to(SolverMethod::pipelined_cg), "none jacobi ");
  EXPECT_EQ(known_to(SolverMethod::s_step_cg), "none ");
  EXPECT_EQ(known_to(SolverMethod::chebyshev), "none ");
  EXPECT_EQ(known_to(SolverMethod::bicgstab), "none jacobi ");
  EXPECT_EQ(known_to(SolverMethod::gmres), "none jacobi ");
  EXPECT_EQ(known_to(SolverMethod::multigrid), "none ");
}

TEST(SolverProblem, says_what_to_do) {
  const auto problem = solver_problem(SolverMethod::bicgstab, {.preconditioner = Preconditioner::polynomial});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->setting, SolverSetting::preconditioner);
  EXPECT_EQ(problem->cause, "method 'bicgstab' is to have preconditioner 'polynomial'");
  EXPECT_NE(problem->consequence, "");
  EXPECT_EQ(problem->remedy, "use none or jacobi, or method cg");
}

TEST(SolverProblem, is_a_block_of_too_many_steps) {
  EXPECT_FALSE(solver_problem(SolverMethod::s_step_cg, {.block_steps = max_block_steps}));
  EXPECT_FALSE(solver_problem(SolverMethod::cg, {.block_steps = max_block_steps + 1}));
  const auto problem = solver_problem(SolverMethod::s_step_cg, {.block_steps = max_block_steps + 1});
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->setting, SolverSetting::block_steps);
}

}  // namespace
}  // namespace haloheap::comm
