// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/halo_blocks.hpp>

#include <algorithm>

namespace haloheap::comm::detail {
namespace {

grid::Triple extent(const grid::Box& box) {
  return {box.extent(0), box.extent(1), box.extent(2)};
}

grid::Triple moved(const grid::Triple& cell, const grid::Triple& from, const grid::Triple& to) {
  return {cell.x - from.x + to.x, cell.y - from.y + to.y, cell.z - from.z + to.z};
}

}  // namespace

HaloBlocks::HaloBlocks(const grid::FieldLayout& layout, int rounds, const ForEachField& fields)
    : forwarded(static_cast<std::size_t>(rounds)),
      unpack(static_cast<std::size_t>(rounds)),
      arrays{fields},
      layout_(layout) {}

int HaloBlocks::number_of(const ForEachField& array) {
  const auto found = std::find(arrays.begin(), arrays.end(), array);
  const auto number = found - arrays.begin();
  if (found == arrays.end()) arrays.push_back(array);
  return static_cast<int>(number);
}

template <class MakeBlock>
void HaloBlocks::split(const grid::Box& from, std::vector<BlockCopy>& late, const MakeBlock& make) {
  const grid::Box own = intersect(from, layout_.own_box());
  if (!own.empty()) early.push_back(make(own));
  for (const grid::Box& piece : subtract(from, own)) late.push_back(make(piece));
}

/// Where the part of box `n` of a message from cell `lo` on goes. @param in_round, in_message values before
/// the box
BlockPlace HaloBlocks::destination(const PathPlaces& places, std::size_t round, std::size_t message,
                                   std::size_t n, const grid::Box& box, grid::Index in_round,
                                   grid::Index in_message, const grid::Triple& lo) {
  if (places.packed())
    return BlockPlace::in_buffer(number_of({places.send[round], places.send[round]}), in_round, box, lo);
  const RemoteHalo& remote = places.remote[round][message];
  if (narrow(box)) return BlockPlace::in_buffer(number_of(remote.buffer), in_message, box, lo);
  return BlockPlace::in_field(number_of(remote.data), remote.layout, moved(lo, box.lo, remote.boxes[n].lo));
}

void HaloBlocks::add_sends(std::size_t round, const std::vector<grid::Box>& boxes, grid::Index first,
                           const PathPlaces& places, std::size_t message) {
  const int channel = places.first_channel.empty() ? BlockCopy::no_channel
                                                   : places.first_channel[round] + static_cast<int>(message);
  grid::Index in_message = 0;
  for (std::size_t n = 0; n < boxes.size(); ++n) {
    const grid::Box& box = boxes[n];
    split(box, forwarded[round], [&](const grid::Box& piece) {
      return BlockCopy{
          .extent = extent(piece),
          .from = BlockPlace::in_field(field, layout_, piece.lo),
          .to = destination(places, round, message, n, box, first + in_message, in_message, piece.lo),
          .ready_channel = channel};
    });
    in_message += box.cells() * layout_.quantities;
  }
}

void HaloBlocks::add_receives(std::size_t round, const std::vector<grid::Box>& boxes, grid::Index first,
                              const PathPlaces& places, std::size_t message) {
  const int channel = places.first_channel.empty() ? BlockCopy::no_channel
                                                   : places.first_channel[round] + static_cast<int>(message);
  for (const grid::Box& box : boxes) {
    if (places.packed() || narrow(box))
      unpack[round].push_back(
          {.extent = extent(box),
           .from = BlockPlace::in_buffer(number_of(places.receive[round]), first, box, box.lo),
           .to = BlockPlace::in_field(field, layout_, box.lo),
           .arrived_channel = channel});
    first += box.cells() * layout_.quantities;
  }
}

void HaloBlocks::add(const HaloPlan& route, const PathPlaces& places) {
  for (std::size_t round = 0; round < route.rounds.size(); ++round) {
    grid::Index sent = 0, received = 0;
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
      split(copy.from, unpack[round], [&](const grid::Box& piece) {
        return BlockCopy{
            .extent = extent(piece),
            .from = BlockPlace::in_field(field, layout_, piece.lo),
            .to = BlockPlace::in_field(field, layout_, moved(piece.lo, copy.from.lo, copy.to.lo))};
      });
}

}  // namespace haloheap::comm::detail
