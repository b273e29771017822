// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/patience.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

/// A clock that the tests move.
struct HandClock {
  using duration = std::chrono::duration<double>;
  using time_point = std::chrono::time_point<HandClock, duration>;

  static time_point now() { return time_point(duration(seconds)); }

  static inline double seconds = 100;
};

TEST(Patience, EndsAfterItsTimeInManyTurns) {
  PatienceBy<HandClock> patience(0.5);
  int turns = 0;
  for (; !patience.exhausted(); HandClock::seconds += 0.0625) ++turns;
  EXPECT_EQ(turns, 9) << "the first at once, the last when the time is just over";
}

TEST(Patience, ALongTurnCountsAsAShortOne) {
  PatienceBy<HandClock> patience(0.15);
  HandClock::seconds += 1000;
  EXPECT_FALSE(patience.exhausted()) << "this process was away itself";
  HandClock::seconds += 0.2;
  EXPECT_TRUE(patience.exhausted());
}

TEST(Patience, RestsLongerInALongWait) {
  PatienceBy<HandClock> patience(60);
  HandClock::seconds += 0.04;
  EXPECT_FALSE(patience.exhausted());
  EXPECT_FALSE(patience.long_since());
  patience.rest();
  HandClock::seconds += 0.04;
  EXPECT_FALSE(patience.exhausted());
  EXPECT_TRUE(patience.long_since());
  patience.rest();
  patience.encourage();
  EXPECT_FALSE(patience.long_since());
  int turns = 0;
  for (; !patience.exhausted(); HandClock::seconds += 0.1) patience.encourage(), ++turns;
  EXPECT_NEAR(turns, 600, 2) << "the time as a whole does not become longer";
}

TEST(Patience, RunsByTheClockOfTheSystem) {
  Patience patience(0.01);
  while (!patience.exhausted()) patience.rest();
}

}  // namespace
}  // namespace haloheap
