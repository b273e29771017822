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

/// With no time at all one measurement of each thing is made: "auto" chooses on a machine however slow.
TEST(Advice, IsGivenWhenThereIsNoTime) {
  const comm::Communicator all(MPI_COMM_WORLD), own(MPI_COMM_SELF);
  const auto expect_advice = [&](const comm::Communicator& communicator, const char* text, const char* key) {
    const deck::Deck deck = deck::load_text(app_schema(), text, "a.toml").point(0);
    PointRunner runner(communicator, -1);
    const Advice advice = advise(deck, Scope::all_but({}), runner);
    EXPECT_TRUE(runner.time_is_up());
    EXPECT_TRUE(advice.keys.contains(key)) << text << ": " << advice.why;
  };
  expect_advice(all, "grid = {size = [60, 40], steps = 12}", "halo.depth");
  expect_advice(all, "problem = 'miniweather'\ngrid = {size = [60, 40], steps = 12}", "halo.depth");
  expect_advice(own, "problem = 'transfer'\ntransfer.bytes = 65536", "transfer.mode");
  expect_advice(own, "problem = 'hash_join'\nhash_join.tuples = 1024", "allocator.name");
}

}  // namespace
}  // namespace haloheap::advise
