// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/halo_blocks.hpp>

#include <algorithm>
#include <cstdint>

namespace haloheap::comm::detail {
namespace {

grid::Triple moved(const grid::Triple& cell, const grid::Triple& from, const grid::Triple& to) {
  return {cell.x - from.x + to.x, cell.y - from.y + to.y, cell.z - from.z + to.z};
}

/// The largest power of two up to 16 on which the array starts in both sets.
grid::Index alignment_of(const ForEachSet& array) {
  std::uintptr_t bits = 16;
  for (const void* data : array) bits |= reinterpret_cast<std::uintptr_t>(data);
  return static_cast<grid::Index>(bits & -bits);
}

void append(std::vector<BlockCopy>& to, std::vector<BlockCopy> blocks) {
  to.insert(to.end(), blocks.begin(), blocks.end());
}

std::vector<BlockCopy> with_channels(std::vector<BlockCopy> blocks, int ready, int arrived) {
  for (BlockCopy& block : blocks) block.ready_channel = ready, block.arrived_channel = arrived;
  return blocks;
}

}  // namespace

/// One of a path, as blocks are made of it.
struct HaloBlocks::Message {
  const HaloMessage& boxes;
  const PathPlaces& places;
  std::size_t round, number;   // of the message in its round
  grid::Index sent, received;  // where it begins in the buffers of its round
  PackedMessage send, receive;

  int channel() const {
    return places.first_channel.empty() ? BlockCopy::no_channel
                                        : places.first_channel[round] + static_cast<int>(number);
  }
};

HaloBlocks::HaloBlocks(const grid::Box& own, int rounds, const std::vector<FieldShape>& shapes,
                       const std::vector<ForEachSet>& fields, Flow flow)
    : forwarded(static_cast<std::size_t>(rounds)),
      unpack(static_cast<std::size_t>(rounds)),
      sums(static_cast<std::size_t>(rounds)),
      arrays(fields),
      own_(own),
      shapes_(shapes),
      flow_(flow) {}

bool HaloBlocks::narrow(const FieldShape& shape, const grid::Box& box) {
  constexpr grid::Index cells = 32, line = 128;
  return shape.run(box) < std::clamp(cells * shape.element, line, 2 * line);
}

int HaloBlocks::number_of(const ForEachSet& array) {
  const auto buffers = arrays.begin() + static_cast<std::ptrdiff_t>(shapes_.size());
  const auto found = std::find(buffers, arrays.end(), array);
  const auto number = found - arrays.begin();
  if (found == arrays.end()) arrays.push_back(array);
  return static_cast<int>(number);
}

StridedPlace HaloBlocks::in_field(int array, const FieldShape& shape, const grid::Triple& lo) const {
  return {array, shape.at(lo), shape.stride, alignment_of(arrays[static_cast<std::size_t>(array)])};
}

/// The part from cell `lo` on of a box that is packed from `first` on.
StridedPlace HaloBlocks::in_buffer(int array, grid::Index first, const FieldShape& shape,
                                   const grid::Box& box, const grid::Triple& lo) const {
  const std::array<grid::Index, 4> strides = shape.packed_strides(box);
  for (const int dim : {0, 1, 2}) first += (lo[dim] - box.lo[dim]) * strides[static_cast<std::size_t>(dim)];
  return {array, first, strides, alignment_of(arrays[static_cast<std::size_t>(array)])};
}

template <class MakeBlocks>
void HaloBlocks::split(std::size_t round, const grid::Box& from, std::vector<BlockCopy>& late,
                       const MakeBlocks& make) {
  if (from.empty()) return;
  if (flow_ == Flow::accumulate) {
    append(round + 1 == forwarded.size() ? early : late, make(from));
    return;
  }
  const grid::Box own = intersect(from, own_);
  if (!own.empty()) append(early, make(own));
  for (const grid::Box& piece : subtract(from, own)) append(late, make(piece));
}

/// Where the part of a field's box `n` of a message from cell `lo` on goes.
StridedPlace HaloBlocks::destination(const Message& message, std::size_t field, std::size_t n,
                                     const grid::Triple& lo) {
  const PathPlaces& places = message.places;
  const grid::Box& box = message.boxes.send[n];
  const grid::Index in_message = message.send.first[field][n];
  if (places.packed()) {
    void* const buffer = places.send[message.round];
    return in_buffer(number_of({buffer, buffer}), message.sent + in_message, shapes_[field], box, lo);
  }
  const RemoteHalo& remote = places.remote[message.round][message.number];
  if (remote.data.empty() || narrow(remote.shapes[field], remote.boxes[n]))
    return in_buffer(number_of(remote.buffer), in_message, shapes_[field], box, lo);
  return in_field(number_of(remote.data[field]), remote.shapes[field], moved(lo, box.lo, remote.boxes[n].lo));
}

void HaloBlocks::add_sends(const Message& message) {
  for (std::size_t field = 0; field < shapes_.size(); ++field)
    for (std::size_t n = 0; n < message.boxes.send.size(); ++n)
      split(message.round, message.boxes.send[n], forwarded[message.round], [&](const grid::Box& piece) {
        const StridedCopy copy{.element = shapes_[field].element,
                               .count = shapes_[field].counts(piece),
                               .from = in_field(static_cast<int>(field), shapes_[field], piece.lo),
                               .to = destination(message, field, n, piece.lo)};
        return with_channels(blocks_of(copy), message.channel(), BlockCopy::no_channel);
      });
}

void HaloBlocks::add_receives(const Message& message) {
  const PathPlaces& places = message.places;
  for (std::size_t field = 0; field < shapes_.size(); ++field)
    for (std::size_t n = 0; n < message.boxes.receive.size(); ++n) {
      const FieldShape& shape = shapes_[field];
      const grid::Box& box = message.boxes.receive[n];
      const bool stored = !places.packed() && flow_ == Flow::fill && !narrow(shape, box);
      if (stored || box.empty()) continue;
      const StridedCopy copy{
          .element = shape.element,
          .count = shape.counts(box),
          .from = in_buffer(number_of(places.receive[message.round]),
                            message.received + message.receive.first[field][n], shape, box, box.lo),
          .to = in_field(static_cast<int>(field), shape, box.lo)};
      const auto blocks = with_channels(blocks_of(copy), BlockCopy::no_channel, message.channel());
      if (flow_ == Flow::accumulate)
        sums[message.round].push_back({message.boxes.peer, field, box, blocks});
      else
        append(unpack[message.round], blocks);
    }
}

void HaloBlocks::add(const HaloPlan& route, const PathPlaces& places) {
  for (std::size_t round = 0; round < route.rounds.size(); ++round) {
    grid::Index sent = 0, received = 0;
    const auto& messages = route.rounds[round].messages;
    for (std::size_t m = 0; m < messages.size(); ++m) {
      sent = packed_start(sent), received = packed_start(received);
      const Message message{messages[m],
                            places,
                            round,
                            m,
                            sent,
                            received,
                            {shapes_, messages[m].send},
                            {shapes_, messages[m].receive}};
      add_sends(message);
      add_receives(message);
      sent += message.send.bytes;
      received += message.receive.bytes;
    }
    std::stable_sort(sums[round].begin(), sums[round].end(),
                     [](const HaloSum& a, const HaloSum& b) { return a.peer < b.peer; });
  }
}

void HaloBlocks::add_copies(const HaloPlan& plan) {
  for (std::size_t round = 0; round < plan.rounds.size(); ++round)
    for (const HaloCopy& copy : plan.rounds[round].copies)
      for (std::size_t field = 0; field < shapes_.size(); ++field) {
        const FieldShape& shape = shapes_[field];
        const auto make = [&](const grid::Box& piece) {
          return blocks_of(
              {.element = shape.element,
               .count = shape.counts(piece),
               .from = in_field(static_cast<int>(field), shape, piece.lo),
               .to = in_field(static_cast<int>(field), shape, moved(piece.lo, copy.from.lo, copy.to.lo))});
        };
        if (flow_ == Flow::fill)
          split(round, copy.from, unpack[round], make);
        else if (!copy.from.empty())
          sums[round].push_back({HaloSum::self, field, copy.to, make(copy.from)});
      }
}

}  // namespace haloheap::comm::detail
