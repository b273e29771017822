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
  const RoundStrips* strips;  // null: it is packed by itself

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
      corners(static_cast<std::size_t>(rounds)),
      arrays(fields),
      own_(own),
      shapes_(shapes),
      flow_(flow),
      received_(static_cast<std::size_t>(rounds)) {}

void HaloBlocks::leave_corners_to_host(const HaloPlan& plan) {
  resolved_ = plan;
}

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

/// Copies a box to `to(first cell)`: own cells early. Of the others, `add_received(copy, origin)` copies what
/// came in messages; copy.from is in the buffer of that message.
template <class To, class AddReceived>
void HaloBlocks::resolve(std::size_t field, std::size_t round, const grid::Box& box, const To& to,
                         const AddReceived& add_received) {
  const FieldShape& shape = shapes_[field];
  for (const CellOrigin& origin : origins_of(*resolved_, own_, box, round)) {
    const grid::Triple& lo = origin.cells.lo;
    const grid::Triple source{lo.x + origin.shift.x, lo.y + origin.shift.y, lo.z + origin.shift.z};
    StridedCopy copy{.element = shape.element, .count = shape.counts(origin.cells), .from = {}, .to = to(lo)};
    if (origin.own) {
      copy.from = in_field(static_cast<int>(field), shape, source);
      append(early, blocks_of(copy));
      continue;
    }
    const Received& received = received_[origin.round][origin.message];
    const PackedPlace& at = received.at[field][origin.box];
    copy.from = in_buffer(received.array, at.first, shape, at.box, source);
    add_received(copy, origin);
  }
}

/// Packs a box that is sent in a round to `to(first cell)`.
template <class To>
void HaloBlocks::add_packed(std::size_t field, std::size_t round, const grid::Box& box, int channel,
                            const To& to) {
  if (resolved_)
    return resolve(field, round, box, to, [&](StridedCopy copy, const CellOrigin& origin) {
      copy.from.array = static_cast<int>(origin.round);
      copy.to.array = static_cast<int>(round);
      append(corners[round], blocks_of(copy));
    });
  split(round, box, forwarded[round], [&](const grid::Box& piece) {
    const StridedCopy copy{.element = shapes_[field].element,
                           .count = shapes_[field].counts(piece),
                           .from = in_field(static_cast<int>(field), shapes_[field], piece.lo),
                           .to = to(piece.lo)};
    return with_channels(blocks_of(copy), channel, BlockCopy::no_channel);
  });
}

void HaloBlocks::add_sends(const Message& message) {
  for (std::size_t field = 0; field < shapes_.size(); ++field)
    for (std::size_t n = 0; n < message.boxes.send.size(); ++n)
      add_packed(field, message.round, message.boxes.send[n], message.channel(),
                 [&](const grid::Triple& lo) { return destination(message, field, n, lo); });
}

void HaloBlocks::add_strips(const RoundStrips& strips, std::size_t round, void* buffer) {
  for (std::size_t field = 0; field < shapes_.size(); ++field)
    for (std::size_t n = 0; n < strips.send.strips().size(); ++n) {
      const PackedPlace place = strips.send.strip(field, n);
      const auto to = [&](const grid::Triple& lo) {
        return in_buffer(number_of({buffer, buffer}), place.first, shapes_[field], place.box, lo);
      };
      add_packed(field, round, place.box, BlockCopy::no_channel, to);
    }
}

PackedPlace HaloBlocks::place_of(const Message& message, std::size_t field, std::size_t n) const {
  const grid::Box& box = message.boxes.receive[n];
  if (message.strips != nullptr && !box.empty()) return message.strips->receive.place(field, box);
  return {message.received + message.receive.first[field][n], box};
}

void HaloBlocks::add_receives(const Message& message) {
  const PathPlaces& places = message.places;
  Received received{.array = 0, .at = std::vector<std::vector<PackedPlace>>(shapes_.size())};
  if (resolved_) received.array = number_of(places.receive[message.round]);
  for (std::size_t field = 0; field < shapes_.size(); ++field)
    for (std::size_t n = 0; n < message.boxes.receive.size(); ++n) {
      const FieldShape& shape = shapes_[field];
      const grid::Box& box = message.boxes.receive[n];
      const bool stored = !places.packed() && flow_ == Flow::fill && !narrow(shape, box);
      const PackedPlace at = stored ? PackedPlace{} : place_of(message, field, n);
      received.at[field].push_back(at);
      if (stored || box.empty()) continue;
      const StridedCopy copy{
          .element = shape.element,
          .count = shape.counts(box),
          .from = in_buffer(number_of(places.receive[message.round]), at.first, shape, at.box, box.lo),
          .to = in_field(static_cast<int>(field), shape, box.lo)};
      const auto blocks = with_channels(blocks_of(copy), BlockCopy::no_channel, message.channel());
      if (flow_ == Flow::accumulate)
        sums[message.round].push_back({message.boxes.peer, field, box, blocks});
      else
        append(unpacked_in(message.round), blocks);
    }
  received_[message.round].push_back(std::move(received));
}

void HaloBlocks::add(const HaloPlan& route, const PathPlaces& places,
                     const std::vector<RoundStrips>& strips) {
  for (std::size_t round = 0; round < route.rounds.size(); ++round) {
    grid::Index sent = 0, received = 0;
    const auto& messages = route.rounds[round].messages;
    if (!strips.empty()) add_strips(strips[round], round, places.send[round]);
    for (std::size_t m = 0; m < messages.size(); ++m) {
      sent = packed_start(sent), received = packed_start(received);
      const Message message{messages[m],
                            places,
                            round,
                            m,
                            sent,
                            received,
                            {shapes_, messages[m].send},
                            {shapes_, messages[m].receive},
                            strips.empty() ? nullptr : &strips[round]};
      if (strips.empty()) add_sends(message);
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
        if (resolved_)
          resolve(
              field, round, copy.from,
              [&](const grid::Triple& lo) {
                return in_field(static_cast<int>(field), shape, moved(lo, copy.from.lo, copy.to.lo));
              },
              [&](const StridedCopy& from_message, const CellOrigin&) {
                append(unpack.back(), blocks_of(from_message));
              });
        else if (flow_ == Flow::fill)
          split(round, copy.from, unpack[round], make);
        else if (!copy.from.empty())
          sums[round].push_back({HaloSum::self, field, copy.to, make(copy.from)});
      }
}

}  // namespace haloheap::comm::detail
