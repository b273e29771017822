// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/patience.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace haloheap {
namespace {

TEST(Patience, EndsAfterItsTimeInManyTurns) {
  Patience patience(0.02);
  int turns = 0;
  while (!patience.exhausted()) ++turns;
  EXPECT_GT(turns, 1);
}

TEST(Patience, ALongTurnCountsAsAShortOne) {
  Patience patience(0.15);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(patience.exhausted()) << "this process was away itself";
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(patience.exhausted());
}

}  // namespace
}  // namespace haloheap
