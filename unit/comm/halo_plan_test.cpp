// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/grid/decomposition.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace haloheap::comm {
namespace {

using namespace testing;

struct PlannedGrid {
  int dims;
  grid::Triple ranks, cells;
  bool periodic[3];
  grid::Index halo;
};

/// All ranks of an exchange in one process. Every cell holds the number of the global cell that it stands
/// for.
class Simulation {
  static constexpr grid::Index unknown = -1;

  struct Rank {
    grid::Box own;
    grid::FieldLayout layout;
    HaloPlan plan;
    std::vector<grid::Index> values;
    std::vector<int> filled;
  };

  template <class Values>
  static auto& at(const Rank& rank, Values& values, const grid::Triple& cell) {
    return values[static_cast<std::size_t>(rank.layout.at(cell))];
  }

 public:
  Simulation(const PlannedGrid& grid, Exchange exchange, MessagesPer per = MessagesPer::neighbour)
      : grid_(grid), per_(per) {
    for (int rank = 0; rank < static_cast<int>(product(grid.ranks)); ++rank) {
      const Topology topology = Topology::make(rank, grid.ranks, grid.periodic);
      const grid::Box own = subdomain(grid.cells, grid.ranks, topology.coordinates);
      const auto layout = grid::make_field_layout(grid.dims, {own.extent(0), own.extent(1), own.extent(2)},
                                                  grid.halo, 1, sizeof(double));
      const auto size = static_cast<std::size_t>(layout.size());
      ranks_.push_back({own, layout, HaloPlan::make(topology, layout, grid.cells, exchange, per),
                        std::vector<grid::Index>(size, unknown), std::vector<int>(size, 0)});
      Rank& it = ranks_.back();
      for_each_cell(layout.own_box(),
                    [&](const grid::Triple& cell) { at(it, it.values, cell) = expected(it, cell); });
    }
  }

  void run() {
    for (std::size_t round = 0; round < ranks_[0].plan.rounds.size(); ++round) {
      const auto before = ranks_;
      for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) deliver(before, rank, round);
    }
  }

  /// Every ghost cell inside the (wrapped) grid was filled exactly once, with the right cell, and no other.
  void check() {
    for (const Rank& rank : ranks_)
      for_each_cell(grown(rank.layout.own_box(), grid_.dims, grid_.halo), [&](const grid::Triple& cell) {
        const auto i = static_cast<std::size_t>(rank.layout.at(cell));
        const bool ghost = !contains(rank.layout.own_box(), cell);
        ASSERT_EQ(rank.values[i], expected(rank, cell)) << cell.x << " " << cell.y << " " << cell.z;
        ASSERT_EQ(rank.filled[i], ghost && expected(rank, cell) != unknown ? 1 : 0);
      });
  }

 private:
  grid::Index expected(const Rank& rank, const grid::Triple& cell) const {
    grid::Triple global{cell.x + rank.own.lo.x, cell.y + rank.own.lo.y, cell.z + rank.own.lo.z};
    for (int dim = 0; dim < 3; ++dim) {
      const grid::Index n = grid_.cells[dim];
      if (grid_.periodic[dim]) global[dim] = (global[dim] + 3 * n) % n;
      if (global[dim] < 0 || global[dim] >= n) return unknown;
    }
    return global.x + grid_.cells.x * (global.y + grid_.cells.y * global.z);
  }

  void move(const Rank& from, const grid::Box& source, int to, const grid::Box& target) {
    ASSERT_EQ(source.extent(0), target.extent(0));
    ASSERT_EQ(source.extent(1), target.extent(1));
    ASSERT_EQ(source.extent(2), target.extent(2));
    Rank& rank = ranks_[static_cast<std::size_t>(to)];
    const grid::Triple d{source.lo.x - target.lo.x, source.lo.y - target.lo.y, source.lo.z - target.lo.z};
    for_each_cell(target, [&](const grid::Triple& cell) {
      at(rank, rank.values, cell) = at(from, from.values, {cell.x + d.x, cell.y + d.y, cell.z + d.z});
      ++at(rank, rank.filled, cell);
    });
  }

  void deliver(const std::vector<Rank>& before, int to, std::size_t round) {
    const HaloRound& mine = before[static_cast<std::size_t>(to)].plan.rounds[round];
    std::map<int, std::ptrdiff_t> with_peer;
    for (const HaloMessage& message : mine.messages) {
      ASSERT_NE(message.peer, to);
      std::ptrdiff_t number = with_peer[message.peer]++;
      const Rank& peer = before[static_cast<std::size_t>(message.peer)];
      const auto& theirs = peer.plan.rounds[round].messages;
      const auto is_for_me = [to](const HaloMessage& m) { return m.peer == to; };
      if (per_ == MessagesPer::neighbour) {
        ASSERT_EQ(std::count_if(theirs.begin(), theirs.end(), is_for_me), 1) << "one message per neighbour";
      } else {
        ASSERT_EQ(message.send.size(), 1U) << "one message each way";
      }
      ASSERT_GT(std::count_if(theirs.begin(), theirs.end(), is_for_me), number);
      auto found = std::find_if(theirs.begin(), theirs.end(), is_for_me);
      for (; number > 0; --number) found = std::find_if(found + 1, theirs.end(), is_for_me);
      const HaloMessage& sent = *found;
      ASSERT_EQ(sent.send.size(), message.receive.size());
      ASSERT_EQ(sent.send_cells(), message.receive_cells());
      for (std::size_t i = 0; i < sent.send.size(); ++i) move(peer, sent.send[i], to, message.receive[i]);
    }
    for (const HaloCopy& copy : mine.copies) {
      for (const HaloCopy& other : mine.copies) ASSERT_TRUE(intersect(copy.from, other.to).empty());
      for (const HaloMessage& message : mine.messages)
        for (const grid::Box& box : message.receive) ASSERT_TRUE(intersect(copy.from, box).empty());
      move(before[static_cast<std::size_t>(to)], copy.from, to, copy.to);
    }
  }

  PlannedGrid grid_;
  MessagesPer per_;
  std::vector<Rank> ranks_;
};

HaloPlan make_plan(const PlannedGrid& grid, int rank, Exchange exchange,
                   MessagesPer per = MessagesPer::neighbour) {
  const Topology topology = Topology::make(rank, grid.ranks, grid.periodic);
  const grid::Box own = subdomain(grid.cells, grid.ranks, topology.coordinates);
  return HaloPlan::make(
      topology,
      grid::make_field_layout(grid.dims, {own.extent(0), own.extent(1), own.extent(2)}, grid.halo, 1, 8),
      grid.cells, exchange, per);
}

void fills_every_ghost_cell(MessagesPer per) {
  for (int flags = 0; flags < 8; ++flags)
    for (const Exchange exchange : {Exchange::sync, Exchange::async})
      for (const grid::Index halo : {1, 2, 3}) {
        for (const grid::Triple ranks :
             {grid::Triple{1, 1, 1}, {1, 2, 1}, {2, 2, 1}, {3, 1, 1}, {3, 2, 1}, {4, 3, 1}}) {
          if (flags > 3) continue;
          Simulation flat({2, ranks, {13, 11, 1}, {(flags & 1) != 0, (flags & 2) != 0, false}, halo},
                          exchange, per);
          flat.run();
          flat.check();
        }
        for (const grid::Triple ranks :
             {grid::Triple{1, 1, 1}, {2, 1, 1}, {1, 2, 3}, {2, 2, 2}, {3, 2, 1}, {3, 3, 3}}) {
          const grid::Triple cells{10, 9, 11};
          Simulation deep({3, ranks, cells, {(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0}, halo},
                          exchange, per);
          deep.run();
          deep.check();
        }
      }
}

TEST(HaloPlan, fills_every_ghost_cell_once_from_the_right_cell) {
  fills_every_ghost_cell(MessagesPer::neighbour);
}

TEST(HaloPlan, fills_them_so_with_a_message_each_way) {
  fills_every_ghost_cell(MessagesPer::direction);
}

TEST(HaloPlan, a_halo_as_wide_as_the_smallest_subdomain_still_works) {
  for (const Exchange exchange : {Exchange::sync, Exchange::async}) {
    Simulation thirds({2, {3, 2, 1}, {13, 9, 1}, {true, true, false}, 4}, exchange);
    thirds.run();
    thirds.check();
    Simulation self({2, {1, 1, 1}, {5, 5, 1}, {true, true, false}, 5}, exchange);
    self.run();
    self.check();
    Simulation single_cells({2, {4, 3, 1}, {4, 3, 1}, {true, false, false}, 1}, exchange);
    single_cells.run();
    single_cells.check();
  }
}

TEST(HaloPlan, has_the_thesis_number_of_messages) {
  const PlannedGrid flat{2, {3, 3, 1}, {30, 30, 1}, {true, true, true}, 2},
      deep{3, {3, 3, 3}, {30, 30, 30}, {true, true, true}, 2};
  EXPECT_EQ(make_plan(flat, 4, Exchange::sync).messages(), 4);
  EXPECT_EQ(make_plan(flat, 4, Exchange::sync).rounds.size(), 2U);
  EXPECT_EQ(make_plan(flat, 4, Exchange::async).messages(), 8);
  EXPECT_EQ(make_plan(flat, 4, Exchange::async).rounds.size(), 1U);
  EXPECT_EQ(make_plan(deep, 13, Exchange::sync).messages(), 6);
  EXPECT_EQ(make_plan(deep, 13, Exchange::sync).rounds.size(), 3U);
  EXPECT_EQ(make_plan(deep, 13, Exchange::async).messages(), 26);
  // Both ways carry the same cells: 14 x 14 less 10 x 10, and in 3D accordingly.
  EXPECT_EQ(make_plan(flat, 4, Exchange::sync).send_cells(), 14 * 14 - 10 * 10);
  EXPECT_EQ(make_plan(flat, 4, Exchange::async).send_cells(), 14 * 14 - 10 * 10);
  EXPECT_EQ(make_plan(deep, 13, Exchange::async).send_cells(), 14 * 14 * 14 - 10 * 10 * 10);
}

TEST(HaloPlan, sends_one_message_to_a_neighbour_in_several_directions) {
  const PlannedGrid grid{2, {2, 2, 1}, {12, 12, 1}, {true, true, true}, 2};
  const HaloPlan async = make_plan(grid, 0, Exchange::async);
  ASSERT_EQ(async.messages(), 3) << "eight directions, three neighbours";
  EXPECT_EQ(async.rounds[0].messages[0].send.size(), 2U);  // rank 1: left and right
  EXPECT_EQ(async.rounds[0].messages[1].send.size(), 2U);  // rank 2: below and above
  EXPECT_EQ(async.rounds[0].messages[2].send.size(), 4U);  // rank 3: four corners
  EXPECT_EQ(make_plan(grid, 0, Exchange::sync).messages(), 2);
}

TEST(HaloPlan, sends_as_many_messages_as_there_are_directions) {
  const PlannedGrid flat{2, {2, 2, 1}, {12, 12, 1}, {true, true, true}, 2},
      deep{3, {2, 2, 2}, {12, 12, 12}, {true, true, true}, 2},
      apart{2, {3, 3, 1}, {30, 30, 1}, {true, true, true}, 2},
      open{2, {2, 2, 1}, {12, 12, 1}, {false, false, false}, 2},
      line{2, {2, 1, 1}, {12, 12, 1}, {true, true, true}, 2};
  const auto count = [](const PlannedGrid& grid, Exchange exchange) {
    const HaloPlan plan = make_plan(grid, 0, exchange, MessagesPer::direction);
    EXPECT_EQ(plan.send_cells(), make_plan(grid, 0, exchange).send_cells());
    return plan.messages();
  };
  EXPECT_EQ(count(flat, Exchange::async), 8);
  EXPECT_EQ(count(flat, Exchange::sync), 4);
  EXPECT_EQ(count(deep, Exchange::async), 26);
  EXPECT_EQ(count(deep, Exchange::sync), 6);
  EXPECT_EQ(count(apart, Exchange::async), 8) << "as with messages for each neighbour";
  EXPECT_EQ(count(open, Exchange::async), 3);
  EXPECT_EQ(count(line, Exchange::async), 6) << "and two copies onto itself";
}

TEST(HaloPlan, wraps_onto_itself_without_messages) {
  const PlannedGrid grid{2, {1, 1, 1}, {6, 5, 1}, {true, true, true}, 2};
  for (const Exchange exchange : {Exchange::sync, Exchange::async}) {
    const HaloPlan plan = make_plan(grid, 0, exchange);
    EXPECT_EQ(plan.messages(), 0);
    EXPECT_EQ(plan.send_cells(), 0);
    std::size_t copies = 0;
    for (const HaloRound& round : plan.rounds) copies += round.copies.size();
    EXPECT_EQ(copies, exchange == Exchange::sync ? 4U : 8U);
  }
}

TEST(HaloPlan, has_nothing_to_do_on_one_rank_with_open_sides) {
  const PlannedGrid grid{
      2, {1, 1, 1}, {6, 5, 1}, {false, false, false}, 9};  // wider than the grid: nobody minds
  const HaloPlan plan = make_plan(grid, 0, Exchange::async);
  EXPECT_EQ(plan.messages(), 0);
  EXPECT_TRUE(plan.rounds[0].copies.empty());
}

TEST(HaloPlan, refuses_a_halo_wider_than_the_smallest_subdomain) {
  const PlannedGrid grid{2, {1, 3, 1}, {40, 14, 1}, {false, true, false}, 5};
  for (const int rank : {0, 1, 2}) {  // also where this rank's own part is large enough: all ranks agree
    try {
      make_plan(grid, rank, Exchange::sync);
      ADD_FAILURE() << "14 cells over 3 ranks are 4 at least, less than 5";
    } catch (const UsageError& error) {
      EXPECT_STREQ(error.what(),
                   "a halo of 5 cells is wider than the smallest subdomain, 4 cells in y\n"
                   "  consequence: a rank would need cells of its neighbour's neighbour\n"
                   "  remedy: use a smaller depth, fewer ranks in that dimension, or a larger grid");
    }
  }
}

/// A layout whose halo is not as wide in y as in x.
std::string problem_of(const grid::Triple& halo, const grid::Triple& ranks, const grid::Triple& cells) {
  const Topology topology = Topology::make(0, ranks, {true, true, true});
  const grid::Box own = subdomain(cells, ranks, topology.coordinates);
  const grid::Index widest = std::max({halo.x, halo.y, halo.z});
  grid::FieldLayout layout = grid::make_field_layout(
      cells.z > 1 ? 3 : 2, {own.extent(0), own.extent(1), own.extent(2)}, widest, 1, 8);
  layout.halo = halo;
  try {
    HaloPlan::make(topology, layout, cells, Exchange::async);
  } catch (const UsageError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
  }
  return "";
}

TEST(HaloPlan, compares_the_width_in_each_dimension_with_that_dimension) {
  EXPECT_EQ(problem_of({1, 14, 0}, {1, 1, 1}, {32, 12, 1}),
            "a halo of 14 cells is wider than the smallest subdomain, 12 cells in y");
  EXPECT_EQ(problem_of({6, 2, 0}, {1, 1, 1}, {20, 5, 1}), "");
  EXPECT_EQ(problem_of({6, 2, 0}, {2, 2, 1}, {12, 5, 1}), "");
  EXPECT_EQ(problem_of({7, 2, 0}, {2, 2, 1}, {12, 5, 1}),
            "a halo of 7 cells is wider than the smallest subdomain, 6 cells in x");
  EXPECT_EQ(problem_of({1, 1, 4}, {1, 1, 2}, {5, 5, 7}),
            "a halo of 4 cells is wider than the smallest subdomain, 3 cells in z");
  EXPECT_EQ(problem_of({5, 1, 3}, {1, 1, 2}, {5, 5, 7}), "");
}

// Three ghost cells on the low side of x and one on the high side: a rank sends its low neighbour what fills
// that one's high side.
TEST(HaloPlan, sends_each_side_what_its_neighbour_lacks) {
  const Topology topology = Topology::make(1, {3, 1, 1}, {true, false, false});
  const HaloBounds bounds{.dims = 2, .own = {10, 6, 1}, .low = {3, 0, 0}, .high = {1, 2, 0}};
  const HaloPlan plan = HaloPlan::make(topology, bounds, {30, 6, 1}, Exchange::async);
  ASSERT_EQ(plan.rounds.size(), 1U);
  ASSERT_EQ(plan.rounds[0].messages.size(), 2U);
  const HaloMessage &low = plan.rounds[0].messages[0], &high = plan.rounds[0].messages[1];
  EXPECT_EQ(low.peer, 0);
  EXPECT_EQ(low.send, (std::vector<grid::Box>{{{0, 0, 0}, {1, 6, 1}}}));
  EXPECT_EQ(low.receive, (std::vector<grid::Box>{{{-3, 0, 0}, {0, 6, 1}}}));
  EXPECT_EQ(high.send, (std::vector<grid::Box>{{{7, 0, 0}, {10, 6, 1}}}));
  EXPECT_EQ(high.receive, (std::vector<grid::Box>{{{10, 0, 0}, {11, 6, 1}}}));
  const HaloPlan back = plan.reversed();
  EXPECT_EQ(back.rounds[0].messages[0].send, low.receive);
  EXPECT_EQ(back.rounds[0].messages[0].receive, low.send);
  EXPECT_THROW(HaloPlan::make(topology, {.dims = 2, .own = {10, 6, 1}, .low = {0, 0, 0}, .high = {11, 0, 0}},
                              {30, 6, 1}, Exchange::sync),
               UsageError);
}

}  // namespace
}  // namespace haloheap::comm
