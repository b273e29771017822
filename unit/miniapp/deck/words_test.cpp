// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/words.hpp>

#include <gtest/gtest.h>

namespace haloheap::deck {
namespace {

TEST(Words, EditDistance) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "depth"), 5u);
  EXPECT_EQ(edit_distance("depth", ""), 5u);
  EXPECT_EQ(edit_distance("depth", "depth"), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("dpeth", "depth"), 1u) << "neighbours swapped are one mistake";
  EXPECT_EQ(edit_distance("ca", "abc"), 3u) << "no letter is edited twice";
}

TEST(Words, NearestTakesTheFirstOfEquals) {
  EXPECT_EQ(nearest("asinc", {"sync", "async"}), "async");
  EXPECT_EQ(nearest("x", {"ab", "cd"}), "ab");
  EXPECT_EQ(nearest("x", {}), "");
}

TEST(Words, LastName) {
  EXPECT_EQ(last_name("halo.depth"), "depth");
  EXPECT_EQ(last_name("problem"), "problem") << "of no section";
  EXPECT_EQ(last_name("halo."), "");
}

TEST(Words, Trim) {
  EXPECT_EQ(trim(" \ta b\t "), "a b");
  EXPECT_EQ(trim("  "), "");
  EXPECT_EQ(trim(""), "");
}

}  // namespace
}  // namespace haloheap::deck
