// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// One program with the libraries of two spaces.
#include <haloheap/unit/spaces/space_run.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <mpi.h>

#include <string>

namespace {

/// What differs between two runs, but for their space; empty if nothing does.
std::string difference(const SpaceRun& a, const SpaceRun& b) {
  if (a.steps != b.steps) return "steps";
  if (a.filled != b.filled) return "filled";
  if (a.added != b.added) return "added";
  if (a.solution != b.solution) return "solution";
  if (a.container != b.container) return "container";
  if (a.listed != b.listed) return "listed";
  return a.error != b.error ? "error" : "";
}

TEST(BothSpaces, do_the_same_in_one_program) {
  const SpaceRun device = run_in_default_space(MPI_COMM_WORLD), host = run_in_host_space(MPI_COMM_WORLD);
  EXPECT_EQ(difference(device, host), "");
  EXPECT_FALSE(device.steps.empty());
  EXPECT_FALSE(device.solution.empty());
  EXPECT_EQ(device.listed, 200L * 199 * 201 / 6);
  EXPECT_NE(device.error, "");
}

TEST(BothSpaces, run_their_kernels_where_they_say) {
  const SpaceRun device = run_in_default_space(MPI_COMM_WORLD), host = run_in_host_space(MPI_COMM_WORLD);
  EXPECT_EQ(device.space, Kokkos::DefaultExecutionSpace::name());
  EXPECT_EQ(host.space, HALOHEAP_HOST_SPACE_NAME);
  EXPECT_NE(device.space, host.space);
}

/// Each has its own state, such as communicators and heaps: neither sees how often the other has run.
TEST(BothSpaces, may_take_turns) {
  const SpaceRun first = run_in_host_space(MPI_COMM_WORLD);
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(difference(run_in_default_space(MPI_COMM_WORLD), first), "");
    EXPECT_EQ(difference(run_in_host_space(MPI_COMM_WORLD), first), "");
  }
}

}  // namespace
