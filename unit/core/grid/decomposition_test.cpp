// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/grid/decomposition.hpp>

#include <gtest/gtest.h>

#include <map>

namespace haloheap::grid {
namespace {

const Triple big{10000, 10000, 1}, cube{1000, 1000, 1000};

TEST(RankGrid, is_the_thesis_table_in_two_dimensions) {
  // [Valen2023], Table 3.2: ranks -> length (x) by height (y).
  const std::map<int, Triple> table = {{1, {1, 1, 1}},  {2, {2, 1, 1}},  {4, {2, 2, 1}},
                                       {6, {3, 2, 1}},  {8, {4, 2, 1}},  {9, {3, 3, 1}},
                                       {10, {5, 2, 1}}, {12, {4, 3, 1}}, {16, {4, 4, 1}}};
  for (const auto& [ranks, grid] : table) EXPECT_EQ(rank_grid(ranks, 2, big), grid) << ranks;
}

TEST(RankGrid, is_the_most_cubic_factorisation_otherwise) {
  EXPECT_EQ(rank_grid(20, 2, big), (Triple{5, 4, 1}));
  EXPECT_EQ(rank_grid(64, 2, big), (Triple{8, 8, 1}));
  EXPECT_EQ(rank_grid(8, 3, cube), (Triple{2, 2, 2}));
  EXPECT_EQ(rank_grid(27, 3, cube), (Triple{3, 3, 3}));
  EXPECT_EQ(rank_grid(64, 3, cube), (Triple{4, 4, 4}));
}

TEST(RankGrid, takes_the_shape_of_the_grid_into_account) {
  EXPECT_EQ(rank_grid(20, 2, {100, 10000, 1}), (Triple{1, 20, 1}));
  EXPECT_EQ(rank_grid(20, 2, {10000, 100, 1}), (Triple{20, 1, 1}));
  EXPECT_EQ(rank_grid(8, 3, {10, 10, 100000}), (Triple{1, 1, 8}));
}

TEST(RankGrid, of_a_prime_is_a_line) {
  for (const int prime : {3, 5, 7, 11, 13}) {
    EXPECT_EQ(rank_grid(prime, 2, big), (Triple{prime, 1, 1}));
    const Triple grid = rank_grid(prime, 3, cube);
    EXPECT_EQ(grid.x + grid.y + grid.z, prime + 2);
  }
}

TEST(RankGrid, uses_all_ranks_and_leaves_no_rank_empty_if_it_can) {
  for (int ranks = 1; ranks <= 72; ++ranks) {
    EXPECT_EQ(product(rank_grid(ranks, 2, big)), ranks);
    const Triple grid = rank_grid(ranks, 3, {4, 9, 80});
    EXPECT_EQ(product(grid), ranks);
    EXPECT_TRUE(grid.x <= 4 && grid.y <= 9 && grid.z <= 80) << ranks;
  }
}

TEST(RankGrid, compares_subdomains_of_more_cells_than_can_be_counted) {
  for (const Index side : {Index{2147483647}, Index{2000000000}, Index{1} << 40}) {
    EXPECT_EQ(rank_grid(4, 3, {side, side, side}), (Triple{2, 2, 1})) << side;
    EXPECT_EQ(rank_grid(8, 3, {side, side, side}), (Triple{2, 2, 2})) << side;
    EXPECT_EQ(rank_grid(12, 3, {side, side, side}), (Triple{3, 2, 2})) << side;
    EXPECT_EQ(rank_grid(64, 3, {side, side, side}), (Triple{4, 4, 4})) << side;
  }
}

TEST(Split, is_complete_and_gives_leftovers_to_the_first_parts) {
  for (Index cells = 0; cells <= 40; ++cells)
    for (Index parts = 1; parts <= 45; ++parts) {
      Index next = 0, before = cells + 1;
      for (Index i = 0; i < parts; ++i) {
        const Range range = split(cells, parts, i);
        EXPECT_EQ(range.begin, next);
        EXPECT_TRUE(range.count == cells / parts || range.count == cells / parts + 1);
        EXPECT_LE(range.count, before) << "the larger parts come first";
        before = range.count;
        next += range.count;
      }
      EXPECT_EQ(next, cells);
    }
  EXPECT_EQ(split(11, 3, 0).count, 4);
  EXPECT_EQ(split(11, 3, 1).count, 4);
  EXPECT_EQ(split(11, 3, 2).count, 3);
}

TEST(RankGrid, gives_every_rank_a_cell_where_there_are_enough) {
  EXPECT_EQ(rank_grid(4, 2, {1, 8, 1}), (Triple{1, 4, 1})) << "the table of [Valen2023] says 2 x 2";
  EXPECT_EQ(rank_grid(8, 3, {3, 2, 2}), (Triple{2, 2, 2}))
      << "4 x 2 x 1 has as small subdomains, and empty ones";
}

TEST(Split, into_more_parts_than_cells_leaves_the_last_parts_empty) {
  for (Index i = 0; i < 7; ++i) EXPECT_EQ(split(3, 7, i).count, i < 3 ? 1 : 0);
}

TEST(Subdomain, covers_the_grid_once) {
  const Triple cells{7, 5, 4}, ranks{3, 2, 4};
  std::map<Index, int> covered;
  for (Index rank = 0; rank < product(ranks); ++rank) {
    const Box box = subdomain(cells, ranks, {rank % 3, rank / 3 % 2, rank / 6});
    for (int dim = 0; dim < 3; ++dim) EXPECT_GE(box.extent(dim), smallest_extent(cells, ranks, dim));
    for (Index z = box.lo.z; z < box.hi.z; ++z)
      for (Index y = box.lo.y; y < box.hi.y; ++y)
        for (Index x = box.lo.x; x < box.hi.x; ++x) ++covered[x + 7 * (y + 5 * z)];
  }
  EXPECT_EQ(covered.size(), 140U);
  for (const auto& [cell, count] : covered) EXPECT_EQ(count, 1) << cell;
}

}  // namespace
}  // namespace haloheap::grid
