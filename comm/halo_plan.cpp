// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/grid/decomposition.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace haloheap::comm {
namespace {

grid::Index cells_in(const std::vector<grid::Box>& boxes) {
  grid::Index sum = 0;
  for (const grid::Box& box : boxes) sum += box.cells();
  return sum;
}

grid::Triple opposite(const grid::Triple& d) {
  return {-d.x, -d.y, -d.z};
}

// Any order that both sides can compute does.
grid::Index order(const grid::Triple& d) {
  return (d.x + 1) + 3 * (d.y + 1) + 9 * (d.z + 1);
}

/// The two boxes of a direction: the own cells that go there, and the ghost cells that come from there.
/// `reach` says how far tangential ranges extend over the halo on the low and high side of each dimension.
struct DirectionBoxes {
  grid::Box send, receive;
};

DirectionBoxes direction_boxes(const HaloBounds& bounds, const grid::Triple& direction,
                               const grid::Box& tangential) {
  DirectionBoxes boxes;
  for (int dim = 0; dim < 3; ++dim) {
    const grid::Index n = bounds.own[dim], low = bounds.low[dim], high = bounds.high[dim];
    if (direction[dim] == 0) {
      boxes.send.lo[dim] = boxes.receive.lo[dim] = tangential.lo[dim];
      boxes.send.hi[dim] = boxes.receive.hi[dim] = tangential.hi[dim];
    } else if (direction[dim] < 0) {
      // What goes to the low neighbour fills its high side.
      boxes.send.lo[dim] = 0, boxes.send.hi[dim] = high;
      boxes.receive.lo[dim] = -low, boxes.receive.hi[dim] = 0;
    } else {
      boxes.send.lo[dim] = n - low, boxes.send.hi[dim] = n;
      boxes.receive.lo[dim] = n, boxes.receive.hi[dim] = n + high;
    }
  }
  return boxes;
}

HaloRound make_round(const Topology& topology, const HaloBounds& bounds,
                     const std::vector<grid::Triple>& directions, const grid::Box& tangential,
                     MessagesPer messages_per) {
  // Keyed by peer, then by the order of the direction as the sender sees it.
  std::map<int, std::map<grid::Index, grid::Box>> send, receive;
  HaloRound round;
  for (const grid::Triple& direction : directions) {
    const int peer = topology.neighbour(direction);
    if (peer == Topology::none) continue;
    const DirectionBoxes boxes = direction_boxes(bounds, direction, tangential);
    if (peer == topology.rank()) {
      round.copies.push_back({direction_boxes(bounds, opposite(direction), tangential).send, boxes.receive});
    } else {
      send[peer][order(direction)] = boxes.send;
      receive[peer][order(opposite(direction))] = boxes.receive;
    }
  }
  for (const auto& [peer, by_direction] : send) {
    HaloMessage message{.peer = peer, .send = {}, .receive = {}};
    auto received = receive[peer].begin();
    for (const auto& [key, box] : by_direction) {
      message.send.push_back(box);
      message.receive.push_back(received++->second);
      if (messages_per == MessagesPer::neighbour) continue;
      round.messages.push_back(std::exchange(message, {.peer = peer, .send = {}, .receive = {}}));
    }
    if (!message.send.empty()) round.messages.push_back(std::move(message));
  }
  return round;
}

}  // namespace

std::optional<HaloProblem> halo_width_problem(const grid::Triple& ranks, const bool (&periodic)[3], int dims,
                                              const grid::Triple& halo, const grid::Triple& cells) {
  for (int dim = 0; dim < dims; ++dim) {
    if (ranks[dim] == 1 && !periodic[dim]) continue;
    const grid::Index smallest = grid::smallest_extent(cells, ranks, dim);
    if (halo[dim] > smallest)
      return HaloProblem{
          HaloSetting::depth,
          fmt::format("a halo of {} cells is wider than the smallest subdomain, {} cells in {}", halo[dim],
                      smallest, "xyz"[dim]),
          "a rank would need cells of its neighbour's neighbour",
          "use a smaller depth, fewer ranks in that dimension, or a larger grid"};
  }
  return {};
}

grid::Index HaloMessage::send_cells() const {
  return cells_in(send);
}
grid::Index HaloMessage::receive_cells() const {
  return cells_in(receive);
}

HaloPlan HaloPlan::make(const Topology& topology, const HaloBounds& bounds, const grid::Triple& cells,
                        Exchange exchange, MessagesPer messages_per) {
  const grid::Triple &low_width = bounds.low, &high_width = bounds.high;
  const grid::Triple widest{std::max(low_width.x, high_width.x), std::max(low_width.y, high_width.y),
                            std::max(low_width.z, high_width.z)};
  require_none(halo_width_problem(topology.ranks, topology.periodic, bounds.dims, widest, cells));
  HaloPlan plan{.exchange = exchange, .messages_per = messages_per, .rounds = {}};
  if (exchange == Exchange::async) {
    std::vector<grid::Triple> directions;
    const grid::Index depth = bounds.dims == 3 ? 1 : 0;
    for (grid::Index z = -depth; z <= depth; ++z)
      for (grid::Index y = -1; y <= 1; ++y)
        for (grid::Index x = -1; x <= 1; ++x)
          if (x != 0 || y != 0 || z != 0) directions.push_back({x, y, z});
    plan.rounds.push_back(make_round(topology, bounds, directions, bounds.own_box(), messages_per));
    return plan;
  }
  // Later rounds carry the ghost cells that earlier rounds brought: that is how corners are forwarded.
  grid::Box tangential = bounds.own_box();
  for (int dim = 0; dim < bounds.dims; ++dim) {
    grid::Triple low, high;
    low[dim] = -1, high[dim] = 1;
    plan.rounds.push_back(make_round(topology, bounds, {low, high}, tangential, messages_per));
    if (topology.neighbour(low) != Topology::none) tangential.lo[dim] -= low_width[dim];
    if (topology.neighbour(high) != Topology::none) tangential.hi[dim] += high_width[dim];
  }
  return plan;
}

HaloPlan HaloPlan::reversed() const {
  HaloPlan result = *this;
  for (HaloRound& round : result.rounds) {
    for (HaloMessage& message : round.messages) std::swap(message.send, message.receive);
    for (HaloCopy& copy : round.copies) std::swap(copy.from, copy.to);
  }
  return result;
}

int HaloPlan::messages() const {
  std::size_t count = 0;
  for (const HaloRound& round : rounds) count += round.messages.size();
  return static_cast<int>(count);
}

grid::Index HaloPlan::send_cells() const {
  grid::Index sum = 0;
  for (const HaloRound& round : rounds)
    for (const HaloMessage& message : round.messages) sum += message.send_cells();
  return sum;
}

}  // namespace haloheap::comm
