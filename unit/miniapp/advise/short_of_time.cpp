// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/advise/grid_advice.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>
#include <thread>

namespace haloheap::advise {
namespace {

/// As on a busy machine: every measurement takes long, all exchanges together longer than there is time.
TEST(GridAdvice, ExchangesLeaveTimeForSteps) {
  const comm::Communicator communicator(MPI_COMM_WORLD);
  const deck::Deck deck =
      deck::load_text(app_schema(), "grid = {size = [60, 40], steps = 12}", "a.toml").point(0);
  int measurements = 0;
  PointRunner runner(communicator, 3, [&](const std::string&, double) {
    ++measurements;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  });
  const Advice advice = advise_grid(deck, Scope::all_but({"transfer.mode"}), runner);
  EXPECT_TRUE(runner.time_is_up()) << measurements << " measurements";
  EXPECT_TRUE(advice.keys.contains("halo.depth")) << advice.why;
}

}  // namespace
}  // namespace haloheap::advise
