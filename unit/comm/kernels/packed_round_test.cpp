// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/cell_origins.hpp>
#include <haloheap/comm/kernels/packed_round.hpp>
#include <haloheap/core/grid/decomposition.hpp>

#include <gtest/gtest.h>

namespace haloheap::comm {
namespace {

using namespace detail;

/// 10 x 8 cells of 4 bytes on each of 3 x 3 ranks, two ghost cells.
const HaloBounds bounds{.dims = 2, .own = {10, 8, 1}, .low = {2, 2, 0}, .high = {2, 2, 0}};
const grid::Box filled{{-2, -2, 0}, {12, 10, 1}};
const std::vector<FieldShape> shapes{{.element = 4, .origin = 0, .stride = {4, 64, 0, 0}}};

HaloPlan plan_of(Exchange exchange, const grid::Triple& ranks = {3, 3, 1}) {
  return HaloPlan::make(Topology::make(0, ranks, {true, true, false}), bounds, {10 * ranks.x, 8 * ranks.y, 1},
                        exchange);
}

/// The message in a direction: by the ghost cells that it fills.
const HaloMessage& message_to(const HaloPlan& plan, grid::Triple first_ghost_cell) {
  for (const HaloMessage& message : plan.rounds[0].messages)
    for (const grid::Box& box : message.receive)
      if (box.lo == first_ghost_cell) return message;
  throw std::runtime_error("no such message");
}

TEST(PackedStrips, all_at_once_are_the_four_of_the_thesis) {
  const HaloPlan plan = plan_of(Exchange::async);
  const RoundStrips strips = strips_of(plan, bounds, filled, shapes).front();
  EXPECT_EQ(strips.send.strips(), (std::vector<grid::Box>{{{0, 0, 0}, {2, 8, 1}},
                                                          {{8, 0, 0}, {10, 8, 1}},
                                                          {{0, 0, 0}, {10, 2, 1}},
                                                          {{0, 6, 0}, {10, 8, 1}}}));
  EXPECT_EQ(strips.receive.strips(), (std::vector<grid::Box>{{{-2, 0, 0}, {0, 8, 1}},
                                                             {{10, 0, 0}, {12, 8, 1}},
                                                             {{-2, -2, 0}, {12, 0, 1}},
                                                             {{-2, 8, 0}, {12, 10, 1}}}));
  EXPECT_EQ(strips.send.bytes(), 4 * 2 * (8 + 8 + 10 + 10));
  EXPECT_EQ(strips.receive.bytes(), 4 * 2 * (8 + 8 + 14 + 14));
}

// Listing 13: corners are sent from the strips at the left and right, where they lie in a row, and received
// into those below and above, where they do not.
TEST(PackedStrips, corners_are_rows_where_they_are_sent_and_vectors_where_they_come) {
  const HaloPlan plan = plan_of(Exchange::async);
  const RoundStrips strips = strips_of(plan, bounds, filled, shapes).front();
  const HaloMessage& corner = message_to(plan, {-2, -2, 0});
  const TypedBox sent = strips.send.typed(corner.send).at(0),
                 received = strips.receive.typed(corner.receive).at(0);
  EXPECT_EQ(sent.first, 0);
  EXPECT_EQ(sent.count, (std::array<grid::Index, 4>{2, 2, 1, 1}));
  EXPECT_EQ(sent.stride[1], 4 * 2) << "a row of the strip";
  EXPECT_EQ(received.first, 2 * 4 * 2 * 8) << "behind two strips";
  EXPECT_EQ(received.count, sent.count);
  EXPECT_EQ(received.stride[1], 4 * 14) << "a row of the strip with its corners";
}

TEST(PackedStrips, in_rounds_messages_are_strips) {
  const HaloPlan plan = plan_of(Exchange::sync);
  const std::vector<RoundStrips> strips = strips_of(plan, bounds, filled, shapes);
  ASSERT_EQ(strips.size(), 2U);
  EXPECT_EQ(strips[0].send.bytes(), 4 * 2 * 2 * 8);
  EXPECT_EQ(strips[1].send.bytes(), 4 * 2 * 2 * 14);
  EXPECT_EQ(strips[1].receive.bytes(), strips[1].send.bytes());
}

TEST(CellOrigins, of_forwarded_corners_are_messages_of_the_round_before) {
  const HaloPlan plan = plan_of(Exchange::sync);
  const grid::Box& sent = plan.rounds[1].messages[0].send[0];
  grid::Index own = 0, received = 0;
  for (const CellOrigin& origin : origins_of(plan, bounds.own_box(), sent, 1)) {
    EXPECT_EQ(origin.shift, (grid::Triple{0, 0, 0}));
    (origin.own ? own : received) += origin.cells.cells();
    if (origin.own) continue;
    EXPECT_EQ(origin.round, 0U);
    const grid::Box& came = plan.rounds[0].messages[origin.message].receive[origin.box];
    EXPECT_EQ(intersect(origin.cells, came), origin.cells);
  }
  EXPECT_EQ(own, 2 * 10);
  EXPECT_EQ(received, 2 * 2 * 2);
}

// One rank in x: what is forwarded in y are copies of own cells.
TEST(CellOrigins, of_copies_are_where_they_were_copied_from) {
  const HaloPlan plan = plan_of(Exchange::sync, {1, 3, 1});
  for (const CellOrigin& origin : origins_of(plan, bounds.own_box(), plan.rounds[1].messages[0].send[0], 1)) {
    EXPECT_TRUE(origin.own);
    const grid::Index shift = origin.cells.lo.x < 0 ? 10 : origin.cells.lo.x >= 10 ? -10 : 0;
    EXPECT_EQ(origin.shift, (grid::Triple{shift, 0, 0}));
  }
}

}  // namespace
}  // namespace haloheap::comm
