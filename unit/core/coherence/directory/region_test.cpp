// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/region.hpp>
#include <haloheap/unit/core/coherence/directory/random_operations.hpp>

#include <gtest/gtest.h>

#include <bitset>

namespace haloheap::coherence {
namespace {

TEST(CoherenceRegion, NeighboursJoin) {
  detail::Region region(range(0, 2));
  region.add(range(4, 6));
  EXPECT_EQ(region.rects().size(), 2U);
  region.add(range(2, 4));
  ASSERT_EQ(region.rects().size(), 1U);
  EXPECT_EQ(region.rects()[0], range(0, 6));
}

TEST(CoherenceRegion, FourQuartersOfAMatrixJoin) {
  detail::Region region;
  for (const Rect& quarter : {Rect{0, 2, 0, 2}, Rect{2, 4, 2, 4}, Rect{0, 2, 2, 4}, Rect{2, 4, 0, 2}})
    region.add(quarter);
  ASSERT_EQ(region.rects().size(), 1U);
  EXPECT_EQ(region.rects()[0], (Rect{0, 4, 0, 4}));
}

TEST(CoherenceRegion, WhatIsRemovedFromTheMiddleLeavesFour) {
  detail::Region region(Rect{0, 4, 0, 4});
  region.remove({1, 3, 1, 3});
  EXPECT_EQ(region.rects().size(), 4U);
  EXPECT_EQ(region.elements(), 12);
  region.add({1, 3, 1, 3});
  EXPECT_TRUE(region.contains({0, 4, 0, 4}));
}

TEST(CoherenceRegion, AddingWhatIsThereOrNothingChangesNothing) {
  detail::Region region(range(2, 6));
  region.add(range(3, 5));
  region.add(range(4, 4));
  region.remove(range(7, 9));
  ASSERT_EQ(region.rects().size(), 1U);
  EXPECT_EQ(region.rects()[0], range(2, 6));
  region.clear();
  EXPECT_TRUE(region.empty());
}

TEST(CoherenceRegion, RandomChangesAreThoseOfABitmap) {
  constexpr ElementIndex size = 6;
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    detail::Region region;
    std::bitset<size * size> bitmap;
    for (int step = 0; step < 40; ++step) {
      const Rect rect = test::random_rect(random, size, size);
      const bool add = random() % 3 != 0;
      add ? region.add(rect) : region.remove(rect);
      const auto bit = [](ElementIndex row, ElementIndex column) {
        return static_cast<std::size_t>(row * size + column);
      };
      for (ElementIndex row = rect.row; row < rect.row_end; ++row)
        for (ElementIndex column = rect.column; column < rect.column_end; ++column)
          bitmap[bit(row, column)] = add;
      ASSERT_EQ(region.elements(), static_cast<ElementIndex>(bitmap.count())) << "rectangles overlap";
      for (ElementIndex row = 0; row < size; ++row)
        for (ElementIndex column = 0; column < size; ++column)
          ASSERT_EQ(region.overlaps({row, row + 1, column, column + 1}), bitmap[bit(row, column)]);
      const Rect other = test::random_rect(random, size, size);
      ElementIndex there = 0;
      for (ElementIndex row = other.row; row < other.row_end; ++row)
        for (ElementIndex column = other.column; column < other.column_end; ++column)
          there += bitmap[bit(row, column)];
      ASSERT_EQ(region.elements_in(other), there);
      ASSERT_EQ(region.contains(other), there == other.elements());
    }
  }
}

/// In one dimension there is only one list of ranges that do not touch.
TEST(CoherenceRegion, RangesOfAVectorAreAlwaysJoined) {
  std::mt19937 random(2);
  detail::Region region;
  for (int step = 0; step < 3000; ++step) {
    const Rect rect = test::random_rect(random, 1, 40);
    random() % 2 == 0 ? region.add(rect) : region.remove(rect);
    for (const Rect& a : region.rects())
      for (const Rect& b : region.rects()) ASSERT_NE(a.column_end, b.column);
  }
}

}  // namespace
}  // namespace haloheap::coherence
