// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Which repetitions and ranks the reported phases are of. Time stands still in this program, but where
// messages are posted: there it passes as a table says.
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problem.hpp>

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>

namespace {

// A run of one step posts its messages once: first that of the warm-up, then those of the repetitions.
constexpr std::size_t runs = 3;
using Delays = std::array<int, runs>;                                     // seconds
constexpr std::array<Delays, 2> delays{{{7000, 1000, 0}, {0, 0, 3000}}};  // of each rank

int rank = 0;
std::size_t posted = 0;
std::atomic<int> clock_seconds{0};

}  // namespace

// In the place of the standard library's: the clock of timers and of events of host backends.
std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  return time_point(std::chrono::seconds(clock_seconds));
}

// In front of the MPI library's own.
extern "C" int MPI_Startall(int count, MPI_Request* requests) {
  if (posted < runs) clock_seconds += delays[static_cast<std::size_t>(rank)][posted];
  ++posted;
  return PMPI_Startall(count, requests);
}

namespace haloheap {
namespace {

/// Each rank is the slower one in one repetition.
TEST(GridPhases, AreMeansOverAllRepetitions) {
  const comm::Communicator communicator(MPI_COMM_WORLD);
  rank = communicator.rank();
  posted = 0;
  const deck::Deck deck = deck::load_text(app_schema(),
                                          R"(problem = "heat2d"
                                             grid = {size = [16, 9], steps = 1}
                                             ranks.grid = [2, 1]
                                             halo = {transport = "pinned", mpi = "persistent"}
                                             run = {repetitions = 2, warmup = 1, copy_baseline = false})",
                                          "a.toml")
                              .point(0);
  report::Progress progress = report::no_progress();
  const RunContext context{communicator, deck, progress, ".", "point"};
  const report::Point point = problems().at("heat2d").make()->run(context);
  ASSERT_EQ(posted, runs) << "each run has one delay of the table";
  EXPECT_EQ(point.number("phases.message_s"), (1000 + 3000) / 2) << "of each repetition its slowest rank";
  EXPECT_EQ(point.number("mean_phases.message_s"), (1000 + 3000) / 4)
      << "of each repetition the mean of its ranks";
  for (const char* other : {"pack_s", "unpack_s", "inner_s", "outer_s", "primary_s"})
    for (const char* kind : {"phases.", "mean_phases."})
      EXPECT_EQ(point.number(std::string(kind) + other), 0) << kind << other;
}

}  // namespace
}  // namespace haloheap
