// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/grid/box_list.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace haloheap::grid {
namespace {

using namespace testing;

Box random_box(std::mt19937& generator) {
  Box box;
  for (int dim = 0; dim < 3; ++dim) {
    box.lo[dim] = static_cast<Index>(generator() % 9) - 4;
    box.hi[dim] = box.lo[dim] + static_cast<Index>(generator() % 6) - 1;  // also empty and inverted ones
  }
  return box;
}

TEST(Box, counts_its_cells_and_inverted_boxes_are_empty) {
  EXPECT_EQ((Box{{-1, 0, 2}, {3, 5, 3}}.cells()), 20);
  EXPECT_EQ((Box{{3, 0, 0}, {1, 5, 1}}.cells()), 0);
  EXPECT_TRUE((Box{{3, 0, 0}, {1, -5, 1}}.empty()));  // two inverted extents do not make a positive volume
  EXPECT_TRUE(Box{}.empty());
}

TEST(Box, intersection_holds_the_common_cells) {
  std::mt19937 generator(1);
  for (int i = 0; i < 2000; ++i) {
    const Box a = random_box(generator), b = random_box(generator), common = intersect(a, b);
    Index count = 0;
    for_each_cell(a, [&](const Triple& cell) { count += contains(b, cell); });
    EXPECT_EQ(common.cells(), count) << text(a) << " and " << text(b);
  }
}

TEST(Subtract, gives_disjoint_pieces_that_cover_the_rest) {
  std::mt19937 generator(2);
  for (int i = 0; i < 5000; ++i) {
    const Box a = random_box(generator), b = random_box(generator);
    const auto pieces = subtract(a, b);
    EXPECT_LE(pieces.size(), 6U);
    std::map<std::tuple<Index, Index, Index>, int> covered;
    for (const Box& piece : pieces) {
      EXPECT_FALSE(piece.empty());
      for_each_cell(piece, [&](const Triple& cell) { ++covered[{cell.x, cell.y, cell.z}]; });
    }
    std::map<std::tuple<Index, Index, Index>, int> expected;
    for_each_cell(a, [&](const Triple& cell) {
      if (!contains(b, cell)) expected[{cell.x, cell.y, cell.z}] = 1;
    });
    EXPECT_EQ(covered, expected) << text(a) << " without " << text(b);
  }
}

TEST(Subtract, keeps_rows_whole_where_it_can) {
  const auto pieces = subtract({{0, 0, 0}, {10, 10, 1}}, {{2, 3, 0}, {8, 7, 1}});
  const std::vector<Box> expected = {
      {{0, 0, 0}, {10, 3, 1}}, {{0, 7, 0}, {10, 10, 1}}, {{0, 3, 0}, {2, 7, 1}}, {{8, 3, 0}, {10, 7, 1}}};
  EXPECT_EQ(pieces, expected);
}

TEST(BoxList, numbers_every_cell_once_in_the_order_of_its_boxes) {
  std::mt19937 generator(3);
  for (int i = 0; i < 500; ++i) {
    std::vector<Box> boxes(1 + generator() % BoxList::capacity);
    std::vector<Triple> expected;
    for (Box& box : boxes) {
      box = random_box(generator);
      for_each_cell(box, [&](const Triple& cell) { expected.push_back(cell); });
    }
    const BoxList list(boxes);
    ASSERT_EQ(list.cells(), static_cast<Index>(expected.size()));
    for (Index flat = 0; flat < list.cells(); ++flat)
      ASSERT_EQ(list.cell(flat), expected[static_cast<std::size_t>(flat)]) << i << ": " << flat;
  }
}

TEST(BoxList, goes_through_the_rows_of_any_part_in_the_order_of_its_numbers) {
  std::mt19937 generator(4);
  for (int i = 0; i < 500; ++i) {
    std::vector<Box> boxes(1 + generator() % BoxList::capacity);
    for (Box& box : boxes) box = random_box(generator);
    const BoxList list(boxes);
    const auto up_to = [&](Index cells) { return static_cast<Index>(generator()) % (cells + 1); };
    const Index end = up_to(list.cells()), begin = up_to(end);
    Index flat = begin;
    list.for_each_row(begin, end, [&](const Triple& first, Index count) {
      ASSERT_GT(count, 0);
      for (Index x = 0; x < count; ++x)
        ASSERT_EQ((Triple{first.x + x, first.y, first.z}), list.cell(flat++)) << i;
    });
    ASSERT_EQ(flat, end) << i;
  }
}

TEST(BoxList, is_small_enough_to_travel_in_a_functor) {
  EXPECT_LE(sizeof(BoxList), 256U);
}

TEST(ForEachBoxList, cuts_boxes_that_32_bits_cannot_count) {
  const Box box{{0, 0, 0}, {1 << 17, 3 << 15, 2}};
  Index cells = 0;
  int lists = 0;
  for_each_box_list(std::vector<Box>{box}, [&](const BoxList& list) {
    ++lists;
    cells += list.cells();
  });
  EXPECT_EQ(cells, box.cells());
  EXPECT_EQ(lists, 2);  // eight parts
}

TEST(ForEachBoxList, hands_out_portions_and_skips_those_without_cells) {
  std::vector<Box> boxes;
  for (Index i = 0; i < 15; ++i)
    boxes.push_back({{i, 0, 0}, {i + 1, i < 6 ? 0 : 2, 1}});  // the first six are empty
  std::vector<Index> cells;
  for_each_box_list(boxes, [&](const BoxList& list) { cells.push_back(list.cells()); });
  EXPECT_EQ(cells, (std::vector<Index>{12, 6}));
  for_each_box_list({}, [](const BoxList&) { ADD_FAILURE() << "no boxes, no call"; });
}

}  // namespace
}  // namespace haloheap::grid
