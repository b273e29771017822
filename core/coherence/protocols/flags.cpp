// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/protocols/flags.hpp>

namespace haloheap::coherence::detail {

CopyId FlagProtocol::find(const State& state, const Request& request) const {
  for (const CopyId id : state.object(request.object).copies)
    if (state.copy(id).memory == request.memory && state.copy(id).rect == request.rect) return id;
  return no_copy;
}

void FlagProtocol::write_back(Planner& planner, CopyId id) const {
  Copy& copy = planner.state.copy(id);
  if (!copy.modified) return;
  planner.copy(id, planner.state.object(copy.object).main, copy.rect);
  copy.modified = false;
  settle(planner.state, copy.object);
}

void FlagProtocol::write_back_overlapping(Planner& planner, ObjectId object, const Rect& rect,
                                          bool covered_too) const {
  for (const CopyId id : planner.state.object(object).copies) {
    const Copy& copy = planner.state.copy(id);
    if (copy.modified && overlap(copy.rect, rect) && (covered_too || !rect.contains(copy.rect)))
      write_back(planner, id);
  }
}

void FlagProtocol::settle(State& state, ObjectId object) {
  for (const CopyId id : state.object(object).copies)
    if (state.copy(id).modified) return;
  state.main_of(object).valid = true;
}

void FlagProtocol::drop(State& state, CopyId id) const {
  Copy& copy = state.copy(id);
  copy.valid = copy.modified = false;
  settle(state, copy.object);
}

void FlagProtocol::begin(State& state, ObjectId object) const {
  state.main_of(object).valid = true;
}

bool FlagProtocol::current(const State& state, CopyId copy, const Rect& /*rect*/) const {
  return state.copy(copy).valid;
}

bool FlagProtocol::host_alone(const State& state, ObjectId object) const {
  for (const CopyId id : state.object(object).copies)
    if (state.copy(id).valid) return false;
  return true;
}

}  // namespace haloheap::coherence::detail
