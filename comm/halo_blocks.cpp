// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo_blocks.hpp>

namespace haloheap {
namespace {

Triple extent(const Box& box) {
  return {box.extent(0), box.extent(1), box.extent(2)};
}

Triple moved(const Triple& cell, const Triple& from, const Triple& to) {
  return {cell.x - from.x + to.x, cell.y - from.y + to.y, cell.z - from.z + to.z};
}

}  // namespace

HaloBlocks::HaloBlocks(const FieldLayout& layout, int rounds)
    : forwarded(static_cast<std::size_t>(rounds)),
      unpack(static_cast<std::size_t>(rounds)),
      layout_(layout) {}

template <class MakeBlock>
void HaloBlocks::split(const Box& from, std::vector<BlockCopy>& late, const MakeBlock& make) {
  const Box own = intersect(from, layout_.own_box());
  if (!own.empty()) early.push_back(make(own));
  for (const Box& piece : subtract(from, own)) late.push_back(make(piece));
}

void HaloBlocks::add_sends(std::size_t round, const std::vector<Box>& boxes, Index first,
                           const RoutePlaces& places, std::size_t message) {
  const int line =
      places.first_line.empty() ? BlockCopy::no_line : places.first_line[round] + static_cast<int>(message);
  for (std::size_t n = 0; n < boxes.size(); ++n) {
    const Box& box = boxes[n];
    split(box, forwarded[round], [&](const Box& piece) {
      BlockCopy block{.extent = extent(piece),
                      .from = BlockPlace::in_field(field, layout_, piece.lo),
                      .to = {},
                      .ready_line = line};
      if (places.stores()) {
        const RemoteHalo& remote = *places.remote_halo[round][message];
        block.to = BlockPlace::in_field(places.remote[round][message], remote.layout,
                                        moved(piece.lo, box.lo, remote.boxes[n].lo));
      } else {
        block.to = BlockPlace::in_buffer(places.send[round], first, box, piece.lo);
      }
      return block;
    });
    first += box.cells() * layout_.quantities;
  }
}

void HaloBlocks::add_receives(std::size_t round, const std::vector<Box>& boxes, Index first,
                              const RoutePlaces& places, std::size_t message) {
  if (places.stores()) return;
  const int line =
      places.first_line.empty() ? BlockCopy::no_line : places.first_line[round] + static_cast<int>(message);
  for (const Box& box : boxes) {
    unpack[round].push_back({.extent = extent(box),
                             .from = BlockPlace::in_buffer(places.receive[round], first, box, box.lo),
                             .to = BlockPlace::in_field(field, layout_, box.lo),
                             .arrived_line = line});
    first += box.cells() * layout_.quantities;
  }
}

void HaloBlocks::add(const HaloPlan& route, const RoutePlaces& places) {
  for (std::size_t round = 0; round < route.rounds.size(); ++round) {
    Index sent = 0, received = 0;
    const auto& messages = route.rounds[round].messages;
    for (std::size_t m = 0; m < messages.size(); ++m) {
      add_sends(round, messages[m].send, sent, places, m);
      add_receives(round, messages[m].receive, received, places, m);
      sent += messages[m].send_cells() * layout_.quantities;
      received += messages[m].receive_cells() * layout_.quantities;
    }
  }
}

void HaloBlocks::add_copies(const HaloPlan& plan) {
  for (std::size_t round = 0; round < plan.rounds.size(); ++round)
    for (const HaloCopy& copy : plan.rounds[round].copies)
      split(copy.from, unpack[round], [&](const Box& piece) {
        return BlockCopy{
            .extent = extent(piece),
            .from = BlockPlace::in_field(field, layout_, piece.lo),
            .to = BlockPlace::in_field(field, layout_, moved(piece.lo, copy.from.lo, copy.to.lo))};
      });
}

}  // namespace haloheap
