// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/field_shape.hpp>
#include <haloheap/comm/kernels/strided_copy.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

namespace haloheap::comm {
namespace {

using detail::BlockCopy;
using detail::StridedCopy;
using Moves = std::vector<std::pair<grid::Index, grid::Index>>;

/// Each byte that is copied: from where, and to where.
Moves moves_of(const StridedCopy& copy) {
  Moves moves;
  const auto& n = copy.count;
  for (grid::Index q = 0; q < n[3]; ++q)
    for (grid::Index z = 0; z < n[2]; ++z)
      for (grid::Index y = 0; y < n[1]; ++y)
        for (grid::Index x = 0; x < n[0]; ++x)
          for (grid::Index byte = 0; byte < copy.element; ++byte) {
            const auto at = [&](const detail::StridedPlace& place) {
              const auto& s = place.stride;
              return place.first + x * s[0] + y * s[1] + z * s[2] + q * s[3] + byte;
            };
            moves.emplace_back(at(copy.from), at(copy.to));
          }
  std::sort(moves.begin(), moves.end());
  return moves;
}

Moves moves_of(const std::vector<BlockCopy>& blocks) {
  Moves moves;
  for (const BlockCopy& block : blocks)
    for (grid::Index c = 0; c < block.count[2]; ++c)
      for (grid::Index b = 0; b < block.count[1]; ++b)
        for (grid::Index a = 0; a < block.count[0]; ++a)
          for (grid::Index byte = 0; byte < block.run; ++byte) {
            const auto at = [&](const detail::BlockPlace& place) {
              return place.first + a * place.stride[0] + b * place.stride[1] + c * place.stride[2] + byte;
            };
            moves.emplace_back(at(block.from), at(block.to));
          }
  std::sort(moves.begin(), moves.end());
  return moves;
}

/// Strides of an array in which dimensions follow each other in some order, with gaps after some of them.
std::array<grid::Index, 4> strides_of(const std::array<grid::Index, 4>& count, grid::Index element,
                                      std::mt19937& random) {
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  if (random() % 2 == 0) std::shuffle(order.begin(), order.end(), random);
  std::array<grid::Index, 4> strides{};
  grid::Index next = element;
  for (const std::size_t dim : order) {
    if (random() % 3 == 0) next += element * static_cast<grid::Index>(random() % 4);
    strides[dim] = next;
    next *= count[dim];
  }
  return strides;
}

TEST(StridedCopies, move_every_byte_once_whatever_the_strides) {
  std::mt19937 random(7);
  std::size_t several = 0;
  for (int i = 0; i < 2000; ++i) {
    StridedCopy copy{
        .element = std::array<grid::Index, 6>{1, 2, 4, 8, 12, 24}[random() % 6], .from = {}, .to = {}};
    for (grid::Index& count : copy.count)
      count = static_cast<grid::Index>(random() % 4 == 0 ? 1 : random() % 5);
    copy.from = {0, 16, strides_of(copy.count, copy.element, random), 16};
    copy.to = {1, 48, strides_of(copy.count, copy.element, random), 16};
    const auto blocks = detail::blocks_of(copy);
    ASSERT_EQ(moves_of(blocks), moves_of(copy)) << i;
    several += blocks.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(several, 20U);
}

TEST(StridedCopies, of_what_lies_in_a_row_are_one_run) {
  const std::array<grid::Index, 4> quantities_first{24, 240, 2400, 8};
  const StridedCopy copy{.element = 8,
                         .count = {10, 10, 4, 3},
                         .from = {0, 0, quantities_first, 16},
                         .to = {1, 0, quantities_first, 16}};
  const auto blocks = detail::blocks_of(copy);
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].run, 8 * 3 * 10 * 10 * 4);
  EXPECT_EQ(blocks[0].count, (detail::BlockTriple{1, 1, 1}));
}

TEST(StridedCopies, of_four_dimensions_apart_are_a_block_for_each_of_the_fewest) {
  const StridedCopy copy{.element = 4,
                         .count = {5, 6, 2, 3},
                         .from = {0, 0, {12, 100, 1000, 10000}, 16},
                         .to = {1, 0, {8, 48, 300, 700}, 16}};
  const auto blocks = detail::blocks_of(copy);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(moves_of(blocks), moves_of(copy));
  EXPECT_TRUE(detail::blocks_of({.element = 4, .count = {5, 0, 2, 3}, .from = {}, .to = {}}).empty());
}

TEST(FieldShapes, know_runs_and_packed_strides) {
  // field(y, x, q): three doubles a cell, rows of 10 cells.
  detail::FieldShape shape{.element = 8, .origin = 264, .stride = {24, 240, 0, 8}, .quantities = 3};
  const grid::Box row{{0, 0, 0}, {4, 1, 1}}, rows{{0, 0, 0}, {10, 5, 1}}, column{{0, 0, 0}, {1, 5, 1}};
  EXPECT_EQ(shape.run(row), 4 * 24);
  EXPECT_EQ(shape.run(rows), 50 * 24);
  EXPECT_EQ(shape.run(column), 24);
  EXPECT_EQ(shape.at({-1, -1, 0}), 0);
  EXPECT_EQ(shape.packed_strides(row), (std::array<grid::Index, 4>{8, 32, 32, 32}));
  shape.packed_order = {3, 0, 1, 2};
  EXPECT_EQ(shape.packed_strides(row), (std::array<grid::Index, 4>{24, 96, 96, 8}));
  const detail::PackedMessage message({shape, {.element = 1, .quantities = 1}},
                                      {row, {{0, 0, 0}, {7, 1, 1}}});
  EXPECT_EQ(message.first, (std::vector<std::vector<grid::Index>>{{0, 96}, {272, 288}}));
  EXPECT_EQ(message.bytes, 288 + 7) << "boxes start on 16 bytes";
}

}  // namespace
}  // namespace haloheap::comm
