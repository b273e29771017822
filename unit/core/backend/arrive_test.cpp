// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/arrive_together.hpp>
#include <haloheap/unit/core/lanes/ordered_warp.hpp>

#include <gtest/gtest.h>

namespace haloheap::backend {
namespace {

using namespace emulation;

struct Memory : OrderTellingAtomics {};

/// Lanes of which the first fences for all: its fence orders its own writes, and no other's.
template <class M>
bool arrive_without_a_barrier(const OrderedLanes& lanes, unsigned* arrived, unsigned threads) {
  if ((lanes.mask() & ((1U << lanes.lane()) - 1)) != 0) return false;
  M::fence();
  const auto size = static_cast<unsigned>(std::popcount(lanes.mask()));
  const unsigned before = M::fetch_add(arrived, size);
  M::fence();
  return before + size == threads;
}

/// How many writes those who came last did not see; and how often nobody came last, or several did.
template <class Arrive>
std::pair<unsigned, unsigned> unseen(const Arrive& arrive) {
  constexpr Grid grid{3, 32};
  unsigned unseen = 0, wrong = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::vector<int> data(grid.threads());
    unsigned arrived = 0, last = 0;
    Order::start(grid.threads());
    RandomSchedule schedule(seed);
    run_warps(grid, schedule, [&](unsigned thread) {
      EXPECT_TRUE(Order::touch(&data[thread]));
      if (!arrive(OrderedLanes::here(), &arrived, grid.threads())) return;
      ++last;
      for (const int& place : data) unseen += Order::sees(&place) ? 0 : 1;
    });
    wrong += last != 1 ? 1 : 0;
  }
  return {unseen, wrong};
}

TEST(Arrive, WhoComesLastSeesWhatAllLanesWrote) {
  const auto [hidden, wrong] = unseen([](const OrderedLanes& lanes, unsigned* arrived, unsigned threads) {
    return backend::arrive_together<Memory>(lanes, arrived, threads);
  });
  EXPECT_EQ(hidden, 0U);
  EXPECT_EQ(wrong, 0U);
}

TEST(Arrive, TheEmulationSeesThatABarrierIsMissing) {
  const auto [hidden, wrong] = unseen(arrive_without_a_barrier<Memory>);
  EXPECT_GT(hidden, 0U);
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace haloheap::backend
