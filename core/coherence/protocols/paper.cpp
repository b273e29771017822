// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/protocols/paper.hpp>

#include <tuple>

namespace haloheap::coherence::detail {
namespace {

/// The best source of `rect`, of those that `wanted` lets through: the one with the most of it; of equal ones
/// that with the shorter way, then that with the lowest offset. [Dastgeer2016] leaves the choice open; bytes
/// can only be tested where it is fixed.
template <class Wanted>
CopyId best_source(const State& state, const Copy& target, const Rect& rect, const Wanted& wanted) {
  CopyId best = no_copy;
  const auto key = [&](CopyId id) {
    const Copy& copy = state.copy(id);
    return std::tuple(-intersect(copy.rect, rect).elements(),
                      state.topology.link(copy.memory, target.memory).latency, copy.rect.row,
                      copy.rect.column, copy.memory);
  };
  for (const CopyId id : state.object(target.object).copies) {
    const Copy& copy = state.copy(id);
    if (&copy == &target || !copy.valid || !overlap(copy.rect, rect) || !wanted(copy)) continue;
    if (best == no_copy || key(id) < key(best)) best = id;
  }
  return best;
}

}  // namespace

void PaperProtocol::update(Planner& planner, CopyId id) const {
  State& state = planner.state;
  const Copy& target = state.copy(id);
  const CopyId main_id = state.object(target.object).main;
  std::vector<Rect>& todo = planner.todo;
  todo.assign(1, target.rect);
  while (!todo.empty()) {
    const Rect rect = todo.back();
    todo.pop_back();
    const auto take = [&](CopyId source) {
      const Rect part = intersect(state.copy(source).rect, rect);
      for (const Rect& rest : subtract(rect, part)) todo.push_back(rest);
      return part;
    };
    const CopyId near =
        best_source(state, target, rect, [&](const Copy& copy) { return copy.memory == target.memory; });
    if (near != no_copy) {
      planner.copy(near, id, take(near));
      continue;
    }
    if (state.main_of(target.object).valid) {
      planner.copy(main_id, id, rect);
      continue;
    }
    const CopyId peer = best_source(state, target, rect, [&](const Copy& copy) {
      return state.topology.link(copy.memory, target.memory).direct;
    });
    if (peer != no_copy) {
      planner.copy(peer, id, take(peer));
      continue;
    }
    const CopyId owner = best_source(state, target, rect, [](const Copy& copy) { return copy.modified; });
    if (owner != no_copy) {
      const Rect part = take(owner);
      write_back(planner, owner);
      planner.copy(main_id, id, part);
      continue;
    }
    // "Last option": the main copy is not valid as a whole, but no modified copy overlaps, so here it is.
    planner.copy(main_id, id, rect);
  }
}

void PaperProtocol::invalidate_others(Planner& planner, CopyId written) const {
  State& state = planner.state;
  const Rect rect = state.copy(written).rect;
  const ObjectId object = state.copy(written).object;
  const CopyId main_id = state.object(object).main;
  state.copy(main_id).valid = false;
  for (const CopyId id : state.object(object).copies) {
    Copy& copy = state.copy(id);
    if (id == written || !copy.valid || !overlap(copy.rect, rect)) continue;
    if (copy.modified)
      for (const Rect& rest : subtract(copy.rect, rect)) planner.copy(id, main_id, rest);
    copy.modified = copy.valid = false;
  }
}

void PaperProtocol::use_on_device(Planner& planner, CopyId id, const Request& request) const {
  if (reads(request.access) && !planner.state.copy(id).valid) update(planner, id);
  if (writes(request.access)) invalidate_others(planner, id);
  Copy& copy = planner.state.copy(id);
  copy.valid = true;
  copy.modified = copy.modified || writes(request.access);
}

void PaperProtocol::use_on_host(Planner& planner, const Request& request) const {
  State& state = planner.state;
  if (!state.main_of(request.object).valid)
    write_back_overlapping(planner, request.object, request.rect, reads(request.access));
  if (!writes(request.access)) return;
  for (const CopyId id : state.object(request.object).copies) {
    Copy& copy = state.copy(id);
    if (overlap(copy.rect, request.rect)) copy.valid = copy.modified = false;
  }
  // After that, not before it as in Figure 5: what has just been overwritten is modified no longer.
  settle(state, request.object);
}

std::unique_ptr<Protocol> make_paper_protocol() {
  return std::make_unique<PaperProtocol>();
}

}  // namespace haloheap::coherence::detail
