// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/atomics.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

TEST(Atomics, KnowWhatTheOperationsMustLeave) {
  AtomicsSettings add{.threads = 5, .addresses = 2, .rounds = 3};
  // Threads 0, 2, 4 and threads 1, 3.
  EXPECT_EQ(wrong_words(add, {9, 6}, 9 * 8 / 2 + 6 * 5 / 2), 0U);
  EXPECT_EQ(wrong_words(add, {8, 6}, 9 * 8 / 2 + 6 * 5 / 2), 1U) << "an operation is lost";
  EXPECT_EQ(wrong_words(add, {9, 6}, 9 * 8 / 2 + 6 * 5 / 2 - 1), 2U) << "two have seen the same";
  AtomicsSettings exchange = add;
  exchange.operation = AtomicOperation::exchange;
  EXPECT_EQ(wrong_words(exchange, {5, 2}, 3 * (1 + 2 + 3 + 4 + 5) - 7), 0U);
  EXPECT_EQ(wrong_words(exchange, {4, 2}, 3 * (1 + 2 + 3 + 4 + 5) - 6), 1U) << "thread 3 has the other word";
  EXPECT_EQ(wrong_words(exchange, {5, 0}, 3 * (1 + 2 + 3 + 4 + 5) - 5), 1U) << "nobody was there";
  EXPECT_EQ(wrong_words(exchange, {5, 2}, 3 * (1 + 2 + 3 + 4 + 5)), 2U);
}

}  // namespace
}  // namespace haloheap
