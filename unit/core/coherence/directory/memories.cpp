// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/memories.hpp>

namespace haloheap::coherence::test {
namespace {

std::vector<detail::Ticket> dependences(const detail::Plan& plan, const detail::Step& step) {
  const auto found = plan.dependences(step.after);
  return {found.begin(), found.end()};
}

}  // namespace

Memories::Memories(const detail::State& state, const Truth& truth, Later* later, bool precise)
    : state_(state),
      truth_(truth),
      later_(later),
      precise_(precise),
      used_(state.used.size()),
      occupied_(state.used.size()),
      moved_(state.statistics.moved.size()) {}

const BufferPtr& Memories::at(detail::CopyId copy) const {
  const auto found = buffers_.find(copy);
  require(found != buffers_.end(), "a copy is used that has no memory");
  return found->second;
}

BufferPtr Memories::make(detail::ObjectId object, Memory memory, const Rect& rect) const {
  return std::make_shared<Buffer>(object, memory, rect, state_.object(object).bytes(rect));
}

void Memories::add_main(detail::CopyId copy, detail::ObjectId object) {
  require(!buffers_.contains(copy), "a main copy is made where there is one");
  buffers_[copy] = make(object, host, state_.object(object).whole);
}

void Memories::remove_main(detail::CopyId copy) {
  require(at(copy)->pending == 0, "the main copy goes while work still uses it");
  buffers_.erase(copy);
}

void Memories::begin_operation(bool oldest_first) {
  oldest_first_ = oldest_first;
  ++operation_;
}

void Memories::hold(detail::CopyId copy) {
  at(copy)->touch(operation_);
  held_.insert(copy);
}

/// Uses within one operation have no order here, and the write-back of a victim is no use.
void Memories::require_oldest(const Buffer& victim) const {
  const std::uint64_t last_used = victim.last_used == operation_ ? victim.used_before : victim.last_used;
  for (const auto& [id, buffer] : buffers_)
    require(buffer->memory != victim.memory || held_.contains(id) || buffer->last_used >= last_used,
            "a copy makes room that was used later than another");
}

std::size_t Memories::held_bytes(Memory memory) const {
  std::size_t sum = 0;
  for (const auto& [id, buffer] : buffers_)
    if (buffer->memory == memory && held_.contains(id)) sum += buffer->bytes;
  return sum;
}

void Memories::forget(detail::ObjectId object) {
  for (const auto& [id, buffer] : buffers_)
    if (buffer->object == object && buffer->memory != host) buffer->now.fill(garbage);
}

bool Memories::carry_out(const detail::Plan& plan, int& failures) {
  written_.clear();
  last_copies_.clear();
  for (const detail::Step& step : plan.steps) {
    if (step.kind == detail::Step::Kind::copy) {
      copy(plan, step);
    } else if (step.kind == detail::Step::Kind::release) {
      release(plan, step);
    } else if (!allocate(step.to, failures)) {
      require(&step == &plan.steps.back(), "memory is asked for before other steps of a plan");
      return false;
    }
  }
  return true;
}

bool Memories::allocate(detail::CopyId id, int& failures) {
  if (failures > 0) {
    --failures;
    return false;
  }
  const detail::Copy& copy = state_.copy(id);
  require(!buffers_.contains(id), "a copy gets memory twice");
  const BufferPtr buffer = make(copy.object, copy.memory, copy.rect);
  const auto memory = static_cast<std::size_t>(copy.memory);
  used_[memory] += buffer->bytes;
  require(used_[memory] <= state_.topology.capacity(copy.memory), "a device gets more than its capacity");
  wait_for_room(copy.memory, buffer->bytes);
  occupied_[memory] += buffer->bytes;
  allocations_.add(buffer->bytes);
  buffers_[id] = buffer;
  return true;
}

void Memories::wait_for_room(Memory memory, std::size_t more) {
  const std::size_t& occupied = occupied_[static_cast<std::size_t>(memory)];
  while (later_ && occupied + more > state_.topology.capacity(memory))
    require(later_->release_one(memory), "a device gets more than its capacity");
}

void Memories::release(const detail::Plan& plan, const detail::Step& step) {
  const BufferPtr buffer = at(step.to);
  require(!held_.contains(step.to), "a copy that is in use is given back");
  require(buffer->memory != host, "a main copy is given back");
  if (oldest_first_) require_oldest(*buffer);
  const std::size_t size = buffer->bytes;
  const auto memory = static_cast<std::size_t>(buffer->memory);
  used_[memory] -= size;
  buffers_.erase(step.to);
  const auto leave = [this, memory, size] { occupied_[memory] -= size; };
  if (!later_) return leave();
  later_->release({{}, dependences(plan, step), {buffer}, leave});
}

void Memories::require_step(const detail::Step& step, const Buffer& from, const Buffer& to) {
  require(&from != &to, "a copy is copied to itself");
  require(from.object == to.object, "elements go to another object");
  require(!step.rect.empty(), "a step copies nothing");
  require(from.rect().contains(step.rect), "a step reads outside of its source");
  require(to.rect().contains(step.rect), "a step writes outside of its target");
  require(state_.topology.link(from.memory, to.memory).direct, "a step uses a link that is not direct");
  // Who carries a plan out looks there for addresses.
  require(state_.copy(step.from).rect == from.rect() && state_.copy(step.from).memory == from.memory,
          "the state no longer knows the source of a step");
  require(state_.copy(step.to).rect == to.rect() && state_.copy(step.to).memory == to.memory,
          "the state no longer knows the target of a step");
  const Versions& truth = truth_[static_cast<std::size_t>(from.object)];
  const bool precise = precise_ && (to.memory == host || state_.topology.max_pieces == 0);
  for_each(step.rect, [&](ElementIndex row, ElementIndex column) {
    const Version newest = truth.at(row, column);
    require(from.now.at(row, column) == newest, "a step copies an element that is not the newest");
    require(!precise || to.now.at(row, column) != newest, "a step brings what was there");
  });
  for (const auto& [buffer, rect] : written_)
    require(buffer != &to || !overlap(rect, step.rect), "a plan writes an element twice");
  written_.emplace_back(&to, step.rect);
}

void Memories::copy(const detail::Plan& plan, const detail::Step& step) {
  const BufferPtr from = at(step.from), to = at(step.to);
  require_step(step, *from, *to);
  assign(to->now, from->now, step.rect);
  from->touch(operation_);
  to->touch(operation_);
  const std::size_t size = state_.object(from->object).bytes(step.rect);
  moved_[static_cast<std::size_t>(from->memory * state_.topology.memories() + to->memory)].add(size);
  last_copies_.emplace_back(from->object, step.ticket);
  if (!later_) return;
  // What it copies is the newest now, and must be that when it is copied, whatever is done before it.
  Versions expected(step.rect);
  assign(expected, from->now, step.rect);
  later_->add({step.ticket,
               dependences(plan, step),
               {from, to},
               [from = from.get(), to = to.get(), rect = step.rect, expected] {
                 require(equal(from->later, expected, rect), "a step copies at the wrong time");
                 assign(to->later, from->later, rect);
               }});
}

void Memories::compare_books() const {
  require(state_.statistics.moved == moved_, "the counters do not say what was moved");
  require(state_.statistics.allocations == allocations_, "the counters do not say what was allocated");
  std::vector<Amount> sum(moved_.size());
  for (const auto& object : state_.objects)
    for (std::size_t i = 0; object && i < sum.size(); ++i) {
      sum[i].count += object->statistics.moved[i].count;
      sum[i].bytes += object->statistics.moved[i].bytes;
    }
  for (std::size_t memory = 1; memory < used_.size(); ++memory)
    require(state_.used[memory] == used_[memory], "the directory is wrong about the memory that is taken");
  std::size_t live = 0;
  for (const detail::Copy& copy : state_.copies) live += copy.live ? 1 : 0;
  require(live == buffers_.size(), "the directory has copies that are not, or lacks some");
  for (std::size_t i = 0; i < sum.size(); ++i)
    require(sum[i].bytes <= moved_[i].bytes, "the counters of the objects are more than those of all");
}

}  // namespace haloheap::coherence::test
