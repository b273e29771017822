// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/rect.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence {
namespace {

constexpr Rect whole{0, 6, 0, 6};

TEST(CoherenceRect, AHoleInTheMiddleLeavesFourPieces) {
  const Remainder rest = subtract(whole, {2, 4, 1, 5});
  ASSERT_EQ(rest.count, 4);
  EXPECT_EQ(rest.rects[0], (Rect{0, 2, 0, 6})) << "whole rows first";
  EXPECT_EQ(rest.rects[1], (Rect{4, 6, 0, 6}));
  EXPECT_EQ(rest.rects[2], (Rect{2, 4, 0, 1}));
  EXPECT_EQ(rest.rects[3], (Rect{2, 4, 5, 6}));
}

TEST(CoherenceRect, ARangeOfAVectorLeavesTwo) {
  const Remainder rest = subtract(range(0, 10), range(3, 5));
  ASSERT_EQ(rest.count, 2);
  EXPECT_EQ(rest.rects[0], range(0, 3));
  EXPECT_EQ(rest.rects[1], range(5, 10));
}

TEST(CoherenceRect, NothingIsLeftOfWhatIsCovered) {
  EXPECT_EQ(subtract(whole, whole).count, 0);
  EXPECT_EQ(subtract({2, 3, 2, 3}, whole).count, 0);
}

TEST(CoherenceRect, AllIsLeftOfWhatOnlyTouches) {
  for (const Rect& beside : {Rect{0, 6, 6, 9}, Rect{6, 8, 0, 6}, Rect{7, 7, 0, 6}, Rect{2, 2, 3, 3}}) {
    const Remainder rest = subtract(whole, beside);
    ASSERT_EQ(rest.count, 1);
    EXPECT_EQ(rest.rects[0], whole);
  }
}

TEST(CoherenceRect, EmptyOnesHaveNoElementsAndOverlapNothing) {
  for (const Rect& empty : {Rect{}, Rect{3, 3, 0, 6}, Rect{4, 2, 0, 6}, Rect{0, 6, 5, 1}}) {
    EXPECT_TRUE(empty.empty());
    EXPECT_EQ(empty.elements(), 0);
    EXPECT_FALSE(overlap(empty, whole));
    EXPECT_EQ(subtract(empty, whole).count, 0);
  }
}

/// Every pair of rectangles of a 4 x 4 matrix, element by element.
TEST(CoherenceRect, DifferencesAreThoseOfTheSetsAndDisjoint) {
  std::vector<Rect> all;
  for (ElementIndex row = 0; row < 4; ++row)
    for (ElementIndex row_end = row; row_end <= 4; ++row_end)
      for (ElementIndex column = 0; column < 4; ++column)
        for (ElementIndex end = column; end <= 4; ++end) all.push_back({row, row_end, column, end});
  for (const Rect& a : all)
    for (const Rect& b : all) {
      const Remainder rest = subtract(a, b);
      for (ElementIndex row = 0; row < 4; ++row)
        for (ElementIndex column = 0; column < 4; ++column) {
          const Rect element{row, row + 1, column, column + 1};
          int times = 0;
          for (const Rect& piece : rest) times += piece.contains(element);
          ASSERT_EQ(times, a.contains(element) && !b.contains(element) ? 1 : 0);
        }
    }
}

TEST(CoherenceRect, AVectorIsNamedByItsRange) {
  EXPECT_EQ(to_string(range(5, 10), true), "[5, 10)");
  EXPECT_EQ(to_string({0, 4, 2, 3}, false), "rows [0, 4) columns [2, 3)");
}

}  // namespace
}  // namespace haloheap::coherence
