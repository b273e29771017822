// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/random_walk/step_formulas.hpp>
#include <haloheap/core/base/error.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace haloheap::allocators::step_formulas {
namespace {

constexpr std::size_t pages = 1 << 20;

/// Worked out with 60 digits: the averages as plain sums, the bounds as the expected maximum of 32 geometric
/// variables by inclusion and exclusion, which is another way than the formulas'.
struct Case {
  Demand demand;
  double walk, approximation, walk_bound, bits32, bound32, bits64, bound64;
};
constexpr double infinite = HUGE_VAL;
const Case cases[] = {
    {{pages, 524288, 4999}, 2.0096, 2.0096, 6.4364, 1.0000, 1.0000, 1.0000, 1.0000},
    {{pages, 104857, 4999}, 10.2462, 10.2463, 41.0538, 1.0389, 1.7889, 1.0014, 1.0517},
    {{pages, 10485, 4999}, 135.8603, 135.8694, 774.1964, 4.7504, 24.6780, 2.6556, 12.5890},
    {{pages, 5242, 4999}, 643.8362, 644.2475, 17511.3952, 20.6112, 547.7155, 10.5661, 274.1077},
};

void expect_near(double value, double expected) {
  EXPECT_NEAR(value, expected, 1e-4 + 1e-7 * expected);
}

TEST(StepFormulas, AgreeWithValuesWorkedOutOtherwise) {
  for (const Case& c : cases) {
    expect_near(random_walk_average(c.demand), c.walk);
    expect_near(random_walk_average_approximation(c.demand), c.approximation);
    expect_near(random_walk_warp_bound(c.demand), c.walk_bound);
    expect_near(bitmap_average(c.demand, 32), c.bits32);
    expect_near(bitmap_warp_bound(c.demand, 32), c.bound32);
    expect_near(bitmap_average(c.demand, 64), c.bits64);
    expect_near(bitmap_warp_bound(c.demand, 64), c.bound64);
  }
}

TEST(StepFormulas, TakeTheLastFreePageToo) {
  expect_near(random_walk_average({8, 2, 2}), (8.0 / 2 + 8.0 / 1) / 2);
  expect_near(random_walk_average({1, 1, 1}), 1);
  expect_near(bitmap_average({4, 1, 1}, 2), 1 / (1 - 0.75 * 0.75));
  EXPECT_EQ(random_walk_average_approximation({8, 2, 2}), infinite);
  EXPECT_EQ(random_walk_warp_bound({8, 2, 2}), infinite);
  EXPECT_EQ(bitmap_warp_bound({8, 2, 2}, 32), infinite);
}

TEST(StepFormulas, OfAQueueAreLinear) {
  EXPECT_DOUBLE_EQ(queue_average(1), 1);
  EXPECT_DOUBLE_EQ(queue_average(4999), 2500);
  EXPECT_DOUBLE_EQ(queue_warp_average(3300), 3200);
}

/// Theorems 1 and 2: the closer A comes to N, and the scarcer free pages are, the closer.
TEST(StepFormulas, OfABitmapComeToTheirLimits) {
  for (const unsigned bits : {32U, 64U}) {
    double before = 0;
    for (const std::size_t free : {std::size_t{104857}, std::size_t{10485}, std::size_t{5242}}) {
      const Demand demand{pages, free, 4999};
      const double average = bitmap_average_limit(demand, bits) / bitmap_average(demand, bits);
      EXPECT_GT(average, before);
      EXPECT_LE(average, 1);
      before = average;
      if (free < 100'000) {
        EXPECT_NEAR(bitmap_warp_bound_limit(demand, bits) / bitmap_warp_bound(demand, bits), 1, 1e-3);
      }
    }
    // Theorem 1 leaves out what Theorem 2 has: it is right where that is little beside the steps.
    const Demand scarce{pages, 5242, 5241};
    EXPECT_NEAR(bitmap_average(scarce, bits) - bitmap_average_limit(scarce, bits), (bits - 1) / (2.0 * bits),
                0.02 * bits / 32);
  }
  EXPECT_DOUBLE_EQ(bitmap_average_limit({8, 2, 2}, 2), 3);
  EXPECT_DOUBLE_EQ(bitmap_warp_bound_limit({pages, 10485, 4999}, 1),
                   random_walk_warp_bound({pages, 10485, 4999}));
  EXPECT_EQ(bitmap_warp_bound_limit({8, 2, 2}, 32), infinite);
}

TEST(StepFormulas, OfCollisionsAreThoseOfBirthdays) {
  // The example of the text: 5000 threads, a million pages, 12.5.
  EXPECT_NEAR(expected_collisions({1'000'000, 1'000'000, 5000}), 12.5, 0.01);
  EXPECT_NEAR(collision_bound({1'000'000, 10'000, 5000}), 0.125, 1e-4);
  EXPECT_DOUBLE_EQ(expected_collisions({365, 365, 23}), 23.0 * 22 / 730);
  EXPECT_EQ(expected_collisions({10, 5, 1}), 0);
}

TEST(StepFormulas, RefuseWhatCannotBe) {
  for (const Demand demand : {Demand{10, 5, 0}, Demand{10, 5, 6}, Demand{10, 11, 5}}) {
    EXPECT_THROW(random_walk_average(demand), UsageError);
    EXPECT_THROW(random_walk_average_approximation(demand), UsageError);
    EXPECT_THROW(random_walk_warp_bound(demand), UsageError);
  }
  try {
    bitmap_average({10, 5, 6}, 32);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("6 threads, 5 free pages and 10 pages"), std::string::npos);
  }
}

}  // namespace
}  // namespace haloheap::allocators::step_formulas
