// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/malloc_run.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

TEST(MinDistance, is_that_of_the_two_that_are_closest) {
  static const char memory[100] = {};
  EXPECT_EQ(min_distance({memory + 90, memory, memory + 32, memory + 48}), 16U);
  EXPECT_EQ(min_distance({memory + 5, nullptr, memory + 3}), 2U);
  EXPECT_EQ(min_distance({memory, memory + 7, memory}), 0U) << "the same block twice";
}

TEST(MinDistance, of_fewer_than_two_is_nothing) {
  static const char memory[1] = {};
  EXPECT_EQ(min_distance({}), std::nullopt);
  EXPECT_EQ(min_distance({memory, nullptr}), std::nullopt);
}

}  // namespace
}  // namespace haloheap
