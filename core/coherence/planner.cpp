// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/planner.hpp>

namespace haloheap::coherence::detail {
namespace {

/// Copies to a device stand in its queue, those to the host in the queue of the device they come from.
Queue queue_between(Memory from, Memory to) {
  return to == host ? queue_of(from, QueueKind::out) : queue_of(to, QueueKind::in);
}

}  // namespace

void Planner::begin() {
  plan_.clear();
  state.free.insert(state.free.end(), state.retired.begin(), state.retired.end());
  state.retired.clear();
}

void Planner::copy(CopyId from, CopyId to, const Rect& rect) {
  Copy& source = state.copy(from);
  Copy& target = state.copy(to);
  Step step{Step::Kind::copy, from, to, rect, state.next(queue_between(source.memory, target.memory)), {}};
  step.after.first = plan_.tickets.size();
  source.history.collect(rect, false, step.ticket.queue, plan_.tickets, step.after.first);
  target.history.collect(rect, true, step.ticket.queue, plan_.tickets, step.after.first);
  step.after.last = plan_.tickets.size();
  source.history.forget(state.passed);
  // Once is enough of a target that is filled from many.
  if (plan_.steps.empty() || plan_.steps.back().to != to) target.history.forget(state.passed);
  source.history.add(rect, false, step.ticket);
  target.history.add(rect, true, step.ticket);
  source.last_used = target.last_used = ++state.clock;
  plan_.steps.push_back(step);

  Object& object = state.object(source.object);
  for (Statistics* statistics : {&state.statistics, &object.statistics})
    statistics->between(source.memory, target.memory).add(object.bytes(rect));
}

CopyId Planner::allocate(ObjectId object, Memory memory, const Rect& rect) {
  if (state.free.empty()) {
    state.free.push_back(static_cast<CopyId>(state.copies.size()));
    state.copies.emplace_back();
  }
  const CopyId id = state.free.back();
  state.free.pop_back();
  Copy& copy = state.copy(id);
  copy.object = object;
  copy.memory = memory;
  copy.rect = rect;
  copy.live = true;
  copy.valid = copy.modified = false;
  copy.current.clear();
  copy.asked.clear();
  copy.history.clear();
  copy.pins = 0;
  copy.serial = copy.last_used = ++state.clock;
  if (memory == host) return id;

  Object& owner = state.object(object);
  owner.copies.push_back(id);
  state.used[static_cast<std::size_t>(memory)] += owner.bytes(rect);
  for (Statistics* statistics : {&state.statistics, &owner.statistics})
    statistics->allocations.add(owner.bytes(rect));
  Step step{Step::Kind::allocate, no_copy, id, rect, {}, {}};
  step.after = {plan_.tickets.size(), plan_.tickets.size()};
  plan_.steps.push_back(step);
  return id;
}

void Planner::release(CopyId id) {
  Copy& copy = state.copy(id);
  Object& object = state.object(copy.object);
  Step step{Step::Kind::release, no_copy, id, copy.rect, {}, {}};
  step.after.first = plan_.tickets.size();
  copy.history.collect(copy.rect, true, -1, plan_.tickets, step.after.first);
  step.after.last = plan_.tickets.size();
  plan_.steps.push_back(step);
  state.used[static_cast<std::size_t>(copy.memory)] -= object.bytes(copy.rect);
  std::erase(object.copies, id);
  copy.live = false;
  state.retired.push_back(id);
}

void Planner::use(CopyId id, const Rect& rect, bool write, Queue queue) {
  plan_.after.first = plan_.tickets.size();
  state.copy(id).history.collect(rect, write, queue, plan_.tickets, plan_.after.first);
  plan_.after.last = plan_.tickets.size();
}

}  // namespace haloheap::coherence::detail
