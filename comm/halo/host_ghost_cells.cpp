// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/host_ghost_cells.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>

#include <algorithm>

namespace haloheap::comm {
namespace {

/// visit(place in the array of the first cell, number of cells) for each row of some boxes, in one order.
template <class Visit>
void for_each_row(const grid::FieldLayout& layout, const std::vector<grid::Box>& boxes, const Visit& visit) {
  for (const grid::Box& box : boxes)
    for (grid::Index z = box.lo.z; z < box.hi.z; ++z)
      for (grid::Index y = box.lo.y; y < box.hi.y; ++y) visit(layout.at({box.lo.x, y, z}), box.extent(0));
}

}  // namespace

struct HostGhostCells::Round {
  HaloRound planned;
  std::vector<double> sent, received;
  std::unique_ptr<MessageSet> messages;  // null where there are none
};

HostGhostCells::HostGhostCells(const Communicator& communicator, const Topology& topology,
                               const grid::FieldLayout& layout, const grid::Triple& cells, double timeout)
    : communicator_(std::make_unique<Communicator>(communicator.get())), layout_(layout), timeout_(timeout) {
  HaloPlan plan = HaloPlan::make(topology, layout, cells, Exchange::sync);
  for (HaloRound& planned : plan.rounds) {
    Round& round = rounds_.emplace_back();
    round.planned = std::move(planned);
    detail::RoundBytes bytes;
    std::size_t sent = 0, received = 0;
    for (const HaloMessage& message : round.planned.messages) {
      const auto to_send = static_cast<std::size_t>(message.send_cells());
      const auto to_receive = static_cast<std::size_t>(message.receive_cells());
      bytes.push_back({message.peer, sent * sizeof(double), to_send * sizeof(double),
                       received * sizeof(double), to_receive * sizeof(double)});
      sent += to_send;
      received += to_receive;
    }
    round.sent.resize(sent);
    round.received.resize(received);
    if (bytes.empty()) continue;  // on all ranks, as a round goes along lines of as many ranks each
    round.messages =
        make_message_set("persistent", {.communicator = *communicator_,
                                        .messages = bytes,
                                        .send = reinterpret_cast<std::byte*>(round.sent.data()),
                                        .receive = reinterpret_cast<std::byte*>(round.received.data()),
                                        .round = static_cast<int>(rounds_.size()) - 1});
  }
}

HostGhostCells::HostGhostCells(HostGhostCells&&) noexcept = default;

HostGhostCells::~HostGhostCells() {
  if (communicator_) detail::give_up(*communicator_, rounds_);
}

void HostGhostCells::fill(double* field) {
  for (Round& round : rounds_) {
    double* to = round.sent.data();
    for (const HaloMessage& message : round.planned.messages)
      for_each_row(layout_, message.send,
                   [&](grid::Index at, grid::Index count) { to = std::copy_n(field + at, count, to); });
    if (round.messages) round.messages->start();
    for (const HaloCopy& copy : round.planned.copies) {
      const grid::Index away = layout_.at(copy.from.lo) - layout_.at(copy.to.lo);
      for_each_row(layout_, {copy.to}, [&](grid::Index at, grid::Index count) {
        std::copy_n(field + at + away, count, field + at);
      });
    }
    if (round.messages) round.messages->wait(timeout_);
    const double* from = round.received.data();
    for (const HaloMessage& message : round.planned.messages)
      for_each_row(layout_, message.receive, [&](grid::Index at, grid::Index count) {
        std::copy_n(from, count, field + at);
        from += count;
      });
  }
}

}  // namespace haloheap::comm
