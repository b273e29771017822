// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/solvers/solver_report.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

TEST(SolverReport, says_where_blocks_were_halved) {
  SolverSettings settings;
  settings.config.block_steps = 8;
  EXPECT_FALSE(note_on_blocks(settings, std::nullopt));
  EXPECT_FALSE(note_on_blocks(settings, 8));
  EXPECT_EQ(note_on_blocks(settings, 2),
            "blocks of 8 iterations were halved to 2, since their basis was dependent");
}

/// Counted by hand, from what each pass reads and writes.
TEST(SolverReport, counts_the_values_of_an_iteration) {
  SolverSettings settings;
  EXPECT_EQ(values_an_iteration(settings, 2, 1), 11);
  settings.config.preconditioner = comm::Preconditioner::jacobi;
  EXPECT_EQ(values_an_iteration(settings, 2, 1), 13);
  settings.config.preconditioner = comm::Preconditioner::multigrid;
  // The finest level: 4 for two steps, two of 5, a residual and its restriction of 5, a correction of 2.
  // Coarse ones with four coefficients more each time: a third of 37. And 13 of the iteration.
  EXPECT_EQ(values_an_iteration(settings, 2, 1), 21 + 12 + 13);
  settings.config.smoothing_steps = 1;
  EXPECT_EQ(values_an_iteration(settings, 2, 1), 15 + 7 + 13);
  settings.method = comm::SolverMethod::multigrid;
  settings.config.preconditioner = comm::Preconditioner::none;
  EXPECT_EQ(values_an_iteration(settings, 2, 1), 15 + 7 + 8);
}

}  // namespace
}  // namespace haloheap
