// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/deadline.hpp>

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

TEST(Deadline, EndsAfterItsTimeInManyTurns) {
  base::DeadlineBy<HandClock> deadline(0.5);
  int turns = 0;
  for (; !deadline.passed(); HandClock::seconds += 0.0625) ++turns;
  EXPECT_EQ(turns, 9) << "the first at once, the last when the time is just over";
}

TEST(Deadline, ALongTurnCountsAsAShortOne) {
  base::DeadlineBy<HandClock> deadline(0.15);
  HandClock::seconds += 1000;
  EXPECT_FALSE(deadline.passed()) << "this process was away itself";
  HandClock::seconds += 0.2;
  EXPECT_TRUE(deadline.passed());
}

TEST(Deadline, RestsLongerInALongWait) {
  base::DeadlineBy<HandClock> deadline(60);
  HandClock::seconds += 0.04;
  EXPECT_FALSE(deadline.passed());
  EXPECT_FALSE(deadline.long_since());
  deadline.rest();
  HandClock::seconds += 0.04;
  EXPECT_FALSE(deadline.passed());
  EXPECT_TRUE(deadline.long_since());
  deadline.rest();
  deadline.encourage();
  EXPECT_FALSE(deadline.long_since());
  int turns = 0;
  for (; !deadline.passed(); HandClock::seconds += 0.1) deadline.encourage(), ++turns;
  EXPECT_NEAR(turns, 600, 2) << "the time as a whole does not become longer";
}

TEST(Deadline, RunsByTheClockOfTheSystem) {
  base::Deadline deadline(0.01);
  while (!deadline.passed()) deadline.rest();
}

}  // namespace
}  // namespace haloheap
