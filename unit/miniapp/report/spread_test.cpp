// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/spread.hpp>

#include <gtest/gtest.h>

namespace haloheap::report {
namespace {

TEST(Spread, median_is_in_the_middle) {
  EXPECT_EQ(spread_of({5}).median, 5);
  EXPECT_EQ(spread_of({9, 1, 2}).median, 2);
  EXPECT_EQ(spread_of({9, 1, 2, 4}).median, 3);
  EXPECT_EQ(spread_of({9, 1, 2}).minimum, 1);
  EXPECT_EQ(spread_of({9, 1, 2}).maximum, 9);
}

}  // namespace
}  // namespace haloheap::report
