// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/topology.hpp>

#include <gtest/gtest.h>

namespace haloheap::comm {
namespace {

TEST(Topology, numbers_ranks_x_fastest_then_y_then_z) {
  const bool open[3] = {false, false, false};
  EXPECT_EQ(Topology::make(0, {3, 2, 2}, open).coordinates, (grid::Triple{0, 0, 0}));
  EXPECT_EQ(Topology::make(1, {3, 2, 2}, open).coordinates, (grid::Triple{1, 0, 0}));
  EXPECT_EQ(Topology::make(3, {3, 2, 2}, open).coordinates, (grid::Triple{0, 1, 0}));
  EXPECT_EQ(Topology::make(11, {3, 2, 2}, open).coordinates, (grid::Triple{2, 1, 1}));
  for (int rank = 0; rank < 12; ++rank) EXPECT_EQ(Topology::make(rank, {3, 2, 2}, open).rank(), rank);
}

TEST(Topology, ends_at_open_sides) {
  const bool open[3] = {false, false, false};
  const Topology corner = Topology::make(0, {3, 2, 1}, open);
  EXPECT_EQ(corner.neighbour({-1, 0, 0}), Topology::none);
  EXPECT_EQ(corner.neighbour({1, -1, 0}), Topology::none);
  EXPECT_EQ(corner.neighbour({0, 0, 1}), Topology::none);
  EXPECT_EQ(corner.neighbour({1, 1, 0}), 4);
}

TEST(Topology, wraps_around_periodic_dimensions_only) {
  const bool periodic_x[3] = {true, false, false};
  const Topology corner = Topology::make(0, {3, 2, 1}, periodic_x);
  EXPECT_EQ(corner.neighbour({-1, 0, 0}), 2);
  EXPECT_EQ(corner.neighbour({-1, 1, 0}), 5);
  EXPECT_EQ(corner.neighbour({-1, -1, 0}), Topology::none);
}

TEST(Topology, can_meet_the_same_rank_or_itself_in_several_directions) {
  const bool periodic[3] = {true, true, true};
  const Topology one = Topology::make(0, {1, 1, 1}, periodic), two = Topology::make(0, {2, 1, 1}, periodic);
  EXPECT_EQ(one.neighbour({1, -1, 1}), 0);
  EXPECT_EQ(two.neighbour({-1, 0, 0}), 1);
  EXPECT_EQ(two.neighbour({1, 0, 0}), 1);
  EXPECT_EQ(two.neighbour({0, 1, 0}), 0);
}

// Who is my neighbour there sees me in the opposite direction.
TEST(Topology, is_mutual) {
  for (int flags = 0; flags < 8; ++flags) {
    const bool periodic[3] = {(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0};
    for (const grid::Triple ranks : {grid::Triple{3, 2, 2}, {1, 4, 1}, {2, 1, 3}})
      for (int rank = 0; rank < static_cast<int>(product(ranks)); ++rank)
        for (grid::Index d = 0; d < 27; ++d) {
          const grid::Triple there{d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1}, back{-there.x, -there.y, -there.z};
          const int peer = Topology::make(rank, ranks, periodic).neighbour(there);
          if (peer == Topology::none) continue;
          EXPECT_EQ(Topology::make(peer, ranks, periodic).neighbour(back), rank);
        }
  }
}

}  // namespace
}  // namespace haloheap::comm
