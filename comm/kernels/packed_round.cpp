// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/packed_round.hpp>
#include <haloheap/core/base/error.hpp>

#include <algorithm>

namespace haloheap::comm::detail {
namespace {

bool holds(const grid::Box& strip, const grid::Box& box) {
  return intersect(strip, box) == box;
}

std::vector<grid::Box> used(const std::vector<grid::Box>& candidates, const std::vector<grid::Box>& boxes) {
  std::vector<bool> taken(candidates.size(), false);
  for (const grid::Box& box : boxes) {
    if (box.empty()) continue;
    const auto strip = std::find_if(candidates.begin(), candidates.end(),
                                    [&box](const grid::Box& one) { return holds(one, box); });
    if (strip == candidates.end()) throw InternalError("a box of a message is in no strip of the border");
    taken[static_cast<std::size_t>(strip - candidates.begin())] = true;
  }
  std::vector<grid::Box> strips;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (taken[i]) strips.push_back(candidates[i]);
  return strips;
}

/// Own cells along each side, as many as the neighbour there needs.
std::vector<grid::Box> own_strips(const HaloBounds& bounds) {
  std::vector<grid::Box> strips;
  for (int dim = 0; dim < bounds.dims; ++dim) {
    grid::Box low = bounds.own_box(), high = low;
    low.hi[dim] = bounds.high[dim];
    high.lo[dim] = bounds.own[dim] - bounds.low[dim];
    strips.insert(strips.end(), {low, high});
  }
  return strips;
}

/// Ghost cells beyond each side; those of the last dimension with all corners.
std::vector<grid::Box> ghost_strips(const HaloBounds& bounds, const grid::Box& filled) {
  std::vector<grid::Box> strips;
  for (int dim = 0; dim < bounds.dims; ++dim) {
    grid::Box low = filled;
    for (int later = dim; later < bounds.dims; ++later) low.lo[later] = 0, low.hi[later] = bounds.own[later];
    grid::Box high = low;
    low.lo[dim] = filled.lo[dim], low.hi[dim] = 0;
    high.lo[dim] = bounds.own[dim], high.hi[dim] = filled.hi[dim];
    strips.insert(strips.end(), {low, high});
  }
  return strips;
}

}  // namespace

PackedStrips::PackedStrips(const std::vector<grid::Box>& candidates, const std::vector<grid::Box>& boxes,
                           const std::vector<FieldShape>& shapes)
    : shapes_(&shapes), strips_(used(candidates, boxes)), packed_(shapes, strips_) {}

PackedPlace PackedStrips::place(std::size_t field, const grid::Box& box) const {
  for (std::size_t i = 0; i < strips_.size(); ++i)
    if (holds(strips_[i], box)) return strip(field, i);
  throw InternalError("a box of a message is in no strip of the border");
}

std::vector<TypedBox> PackedStrips::typed(const std::vector<grid::Box>& boxes) const {
  std::vector<TypedBox> all;
  for (std::size_t field = 0; field < shapes_->size(); ++field)
    for (const grid::Box& box : boxes) {
      if (box.empty()) continue;
      const FieldShape& shape = (*shapes_)[field];
      const PackedPlace in = place(field, box);
      const std::array<grid::Index, 4> strides = shape.packed_strides(in.box), counts = shape.counts(box);
      TypedBox& typed = all.emplace_back();
      typed.first = in.first;
      typed.element = shape.element;
      for (const int dim : {0, 1, 2})
        typed.first += (box.lo[dim] - in.box.lo[dim]) * strides[static_cast<std::size_t>(dim)];
      for (std::size_t i = 0; i < 4; ++i) {
        typed.count[i] = counts[shape.packed_order[i]];
        typed.stride[i] = strides[shape.packed_order[i]];
      }
    }
  return all;
}

TypedRound::TypedRound(const HaloRound& round, const RoundStrips& strips)
    : send_bytes(static_cast<std::size_t>(strips.send.bytes())),
      receive_bytes(static_cast<std::size_t>(strips.receive.bytes())) {
  for (const HaloMessage& message : round.messages)
    messages.push_back({strips.send.typed(message.send), strips.receive.typed(message.receive)});
}

std::vector<RoundStrips> strips_of(const HaloPlan& plan, const HaloBounds& bounds, const grid::Box& filled,
                                   const std::vector<FieldShape>& shapes) {
  std::vector<RoundStrips> result;
  for (const HaloRound& round : plan.rounds) {
    std::vector<grid::Box> sent, received;
    for (const HaloMessage& message : round.messages) {
      sent.insert(sent.end(), message.send.begin(), message.send.end());
      received.insert(received.end(), message.receive.begin(), message.receive.end());
    }
    const bool at_once = plan.exchange == Exchange::async;
    result.push_back({PackedStrips(at_once ? own_strips(bounds) : sent, sent, shapes),
                      PackedStrips(at_once ? ghost_strips(bounds, filled) : received, received, shapes)});
  }
  return result;
}

}  // namespace haloheap::comm::detail
