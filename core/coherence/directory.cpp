// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/directory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace haloheap::coherence::detail {
namespace {

std::string place(Memory memory) {
  return memory == host ? "the host" : fmt::format("device {}", device_of(memory));
}

std::string describe(const Object& object, const Rect& rect) {
  return fmt::format("{} of '{}'", to_string(rect, object.vector), object.label);
}

/// The bytes have to be countable, too.
void require_size(const Shape& shape) {
  const auto maximum =
      std::numeric_limits<ElementIndex>::max() / static_cast<ElementIndex>(shape.element_bytes);
  if (shape.rows >= 0 && shape.columns >= 0 && (shape.rows == 0 || shape.columns <= maximum / shape.rows))
    return;
  const std::string size = shape.vector ? fmt::format("{} elements", shape.columns)
                                        : fmt::format("{} rows and {} columns", shape.rows, shape.columns);
  throw UsageError(fmt::format("'{}' cannot have {}", shape.label, size));
}

}  // namespace

Directory::Directory(MemoryTopology topology, std::string_view policy)
    : state_(std::move(topology)),
      policy_(policies().at(policy)),
      protocol_(policy_.make()),
      planner_(state_, plan_) {}

ObjectId Directory::add(const Shape& shape) {
  require_size(shape);
  std::size_t slot = 0;
  while (slot < state_.objects.size() && state_.objects[slot]) ++slot;
  if (slot == state_.objects.size()) state_.objects.emplace_back();
  state_.objects[slot] = std::make_unique<Object>();
  Object& object = *state_.objects[slot];
  const auto id = static_cast<ObjectId>(slot);
  object.whole = {0, shape.rows, 0, shape.columns};
  object.element_bytes = shape.element_bytes;
  object.vector = shape.vector;
  object.label = shape.label;
  object.statistics = Statistics(state_.topology.memories());
  object.main = planner_.allocate(id, host, object.whole);
  protocol_->begin(state_, id);
  publish(id);
  return id;
}

void Directory::remove_copies(ObjectId id) {
  std::vector<CopyId>& copies = state_.object(id).copies;
  for (std::size_t i = copies.size(); i-- > 0;)
    if (state_.copy(copies[i]).pins == 0) planner_.release(copies[i]);
}

const Plan& Directory::remove(ObjectId id) {
  begin();
  for (const CopyId copy : state_.object(id).copies) state_.copy(copy).pins = 0;
  std::erase_if(under_way_, [&](const Use& use) { return use.request.object == id; });
  remove_copies(id);
  // Copies from and to the main copy may still be under way.
  planner_.use(state_.object(id).main, state_.object(id).whole, true, -1);
  state_.main_of(id).live = false;
  state_.retired.push_back(state_.object(id).main);
  state_.objects[static_cast<std::size_t>(id)].reset();
  return plan_;
}

std::string Directory::use_under_way(ObjectId id) const {
  const Object& object = state_.object(id);
  const auto text = [&](const Rect& rect, Memory memory) {
    return fmt::format("{} of it is in use on {}", to_string(rect, object.vector), place(memory));
  };
  for (const Use& use : under_way_)
    if (use.request.object == id) return text(use.request.rect, use.request.memory);
  for (const CopyId copy : object.copies)
    if (state_.copy(copy).pins > 0) return text(state_.copy(copy).rect, state_.copy(copy).memory);
  return "";
}

void Directory::require_resizable(ObjectId id, ElementIndex rows, ElementIndex columns) const {
  const Object& object = state_.object(id);
  require_size({rows, columns, object.element_bytes, object.label, object.vector});
  const std::string use = use_under_way(id);
  if (use.empty()) return;
  throw UsageError(fmt::format("'{}' cannot be resized while {}", object.label, use),
                   "the use would lose its elements", "end the use first");
}

const Plan& Directory::resize(ObjectId id, ElementIndex rows, ElementIndex columns) {
  require_resizable(id, rows, columns);
  Object& object = state_.object(id);
  if (!object.copies.empty())
    throw UsageError(fmt::format("'{}' cannot be resized while it has copies on devices", object.label), "",
                     "release them first");
  begin();
  // Copies from the main copy may still be under way, too.
  planner_.use(object.main, object.whole, true, -1);
  object.whole = {0, rows, 0, columns};
  state_.main_of(id).rect = object.whole;
  state_.main_of(id).history.clear();
  protocol_->begin(state_, id);
  publish(id);
  return plan_;
}

void Directory::require(const Request& request) const {
  const Object& object = state_.object(request.object);
  if (request.memory < 0 || request.memory >= state_.topology.memories())
    throw UsageError(fmt::format("there is no device {}: {} there are", device_of(request.memory),
                                 state_.topology.devices()));
  if (request.rect.empty() || !object.whole.contains(request.rect))
    throw UsageError(fmt::format("{} is not within it: it has {}", describe(object, request.rect),
                                 to_string(object.whole, object.vector)));
}

void Directory::require_unused(const Request& request) const {
  for (const Use& other : under_way_) {
    const bool conflict = other.request.object == request.object &&
                          (writes(request.access) || writes(other.request.access)) &&
                          overlap(other.request.rect, request.rect);
    if (!conflict) continue;
    const Object& object = state_.object(request.object);
    throw UsageError(fmt::format("{} on {} of {} overlaps the {} on {} of {}, which is not over",
                                 to_string(request.access), place(request.memory),
                                 describe(object, request.rect), to_string(other.request.access),
                                 place(other.request.memory), to_string(other.request.rect, object.vector)),
                     "which of the two comes first is not defined", "end one use before the other begins");
  }
}

void Directory::bring(const Use& use) {
  const Request& request = use.request;
  const std::size_t before = plan_.steps.size();
  if (request.memory == host) {
    protocol_->use_on_host(planner_, request);
  } else {
    protocol_->use_on_device(planner_, use.copy, request);
  }
  const bool hit = plan_.steps.size() == before;
  for (Statistics* statistics : {&state_.statistics, &state_.object(request.object).statistics})
    ++(hit ? statistics->hits : statistics->misses);
  planner_.use(use.copy, request.rect, writes(request.access),
               compute_queue(request.memory, request.instance));
  publish(request.object);
}

Use Directory::acquire(const Request& request) {
  const Use use = hold(request);
  bring(use);
  return use;
}

void Directory::update(const Use& use) {
  begin();
  bring(use);
}

Use Directory::reserve(const Request& request) {
  const Use use = hold(request);
  publish_if_changed(request.object);
  return use;
}

Use Directory::keep(const Request& request) {
  if (!policy_.keeps_copies)
    throw CapabilityError(fmt::format("copies on devices do not last, and {} is to have one",
                                      describe(state_.object(request.object), request.rect)),
                          "there is no such copy",
                          "use the policy " + policies_that(&PolicyEntry::keeps_copies));
  require(request);
  return take_hold(request);
}

Ticket Directory::mark(const Use& kept) {
  begin();
  Copy& copy = state_.copy(kept.copy);
  if (!copy.live || copy.serial != kept.serial) return {};
  const Queue queue = queue_of(copy.memory, QueueKind::compute);
  copy.history.forget(state_.passed);
  planner_.use(kept.copy, copy.rect, true, queue);
  const Ticket ticket = state_.next(queue);
  copy.history.add(copy.rect, true, ticket);
  return ticket;
}

const Plan& Directory::uses_of(const Use& kept) {
  begin();
  const Copy& copy = state_.copy(kept.copy);
  if (copy.live && copy.serial == kept.serial) planner_.use(kept.copy, copy.rect, true, -1);
  return plan_;
}

void Directory::let_go(const Use& kept) {
  Copy& copy = state_.copy(kept.copy);
  if (copy.live && copy.serial == kept.serial && copy.pins > 0) --copy.pins;
}

bool Directory::current(const Use& kept) const {
  return protocol_->current(state_, kept.copy, kept.request.rect);
}

const Plan& Directory::copies_of_host(ObjectId id) {
  begin();
  planner_.use(state_.object(id).main, state_.object(id).whole, true, queue_of(host, QueueKind::compute));
  return plan_;
}

Use Directory::hold(const Request& request) {
  require(request);
  if (checked_) require_unused(request);
  const Use use = take_hold(request);
  if (checked_) under_way_.push_back(use);
  return use;
}

Use Directory::take_hold(const Request& request) {
  begin();
  Use use{.request = request, .copy = state_.object(request.object).main};
  if (request.memory != host) {
    // Nothing is moved or removed for a wish that cannot be met.
    if (protocol_->find(state_, request) == no_copy) require_room(request);
    protocol_->prepare(planner_, request);
    use.copy = protocol_->find(state_, request);
    if (use.copy == no_copy) {
      make_room(request);
      use.copy = planner_.allocate(request.object, request.memory, request.rect);
    }
    Copy& copy = state_.copy(use.copy);
    ++copy.pins;
    copy.last_used = ++state_.clock;
  }
  use.serial = state_.copy(use.copy).serial;
  return use;
}

std::size_t Directory::held_bytes(Memory memory) const {
  std::size_t bytes = 0;
  for (const Copy& copy : state_.copies)
    if (copy.live && copy.memory == memory && copy.pins > 0)
      bytes += state_.object(copy.object).bytes(copy.rect);
  return bytes;
}

void Directory::require_room(const Request& request) const {
  const std::size_t needed = state_.object(request.object).bytes(request.rect);
  const std::size_t capacity = state_.topology.capacity(request.memory);
  const std::size_t used = state_.used[static_cast<std::size_t>(request.memory)];
  if (used <= capacity && needed <= capacity - used) return;
  const std::size_t held = held_bytes(request.memory);
  if (held > capacity || needed > capacity - held) throw_full(request, used - held);
}

void Directory::make_room(const Request& request) {
  const std::size_t needed = state_.object(request.object).bytes(request.rect);
  const std::size_t capacity = state_.topology.capacity(request.memory);
  const std::size_t& used = state_.used[static_cast<std::size_t>(request.memory)];
  while (used + needed > capacity) evict(least_recently_used(request.memory));
}

CopyId Directory::least_recently_used(Memory memory) const {
  CopyId oldest = no_copy;
  for (std::size_t i = 0; i < state_.copies.size(); ++i) {
    const Copy& copy = state_.copies[i];
    if (!copy.live || copy.memory != memory || copy.pins > 0) continue;
    if (oldest == no_copy || copy.last_used < state_.copy(oldest).last_used) oldest = static_cast<CopyId>(i);
  }
  return oldest;
}

const Plan& Directory::evict_unused() {
  begin();
  for (Memory memory = 1; memory < state_.topology.memories(); ++memory)
    for (CopyId id = least_recently_used(memory); id != no_copy; id = least_recently_used(memory)) evict(id);
  return plan_;
}

void Directory::evict(CopyId id) {
  const ObjectId owner = state_.copy(id).object;
  Object& object = state_.object(owner);
  for (Statistics* statistics : {&state_.statistics, &object.statistics})
    statistics->evictions.add(object.bytes(state_.copy(id).rect));
  protocol_->write_back(planner_, id);
  planner_.release(id);
  publish(owner);
}

void Directory::throw_full(const Request& request, std::size_t freeable) const {
  const Object& object = state_.object(request.object);
  const std::size_t needed = object.bytes(request.rect);
  const std::size_t capacity = state_.topology.capacity(request.memory);
  const std::string limit = capacity == unlimited ? "" : fmt::format(" of the {} it may have", capacity);
  throw DeviceFull(
      needed, freeable,
      fmt::format("{} has no room for {}: {} bytes are needed, {}{} are taken, {} of them can be freed",
                  place(request.memory), describe(object, request.rect), needed,
                  state_.used[static_cast<std::size_t>(request.memory)], limit, freeable),
      "the call was not made; the containers are as before",
      "divide the work among more devices or calls, or raise the capacity");
}

void Directory::relieve(const Use& use) {
  begin();
  const CopyId victim = least_recently_used(use.request.memory);
  if (victim != no_copy) return evict(victim);
  // The copy that never was.
  Copy& copy = state_.copy(use.copy);
  copy.pins = 0;
  planner_.release(use.copy);
  plan_.clear();
  for (Statistics* statistics : {&state_.statistics, &state_.object(use.request.object).statistics})
    statistics->allocations.subtract(state_.object(use.request.object).bytes(use.request.rect));
  std::erase_if(under_way_, [&](const Use& other) { return other.copy == use.copy; });
  publish(use.request.object);
  throw_full(use.request, 0);
}

/// The use is no longer under way. False if it was not: its container is gone, and another may have its
/// numbers.
bool Directory::over(const Use& use) {
  const Copy& copy = state_.copy(use.copy);
  if (!copy.live || copy.serial != use.serial) return false;
  if (!checked_) return copy.memory == host || copy.pins > 0;
  for (std::size_t i = 0; i < under_way_.size(); ++i) {
    if (under_way_[i].copy != use.copy || under_way_[i].request.rect != use.request.rect) continue;
    under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(i));
    return true;
  }
  return false;
}

void Directory::cancel(const Use& use) {
  begin();
  if (!over(use)) return;
  if (use.request.memory != host) --state_.copy(use.copy).pins;
  publish(use.request.object);
}

Ticket Directory::finish(const Use& use, std::span<const Ticket> places) {
  begin();
  if (!over(use)) return {};
  if (use.request.memory == host) {
    publish_if_changed(use.request.object);
    return {};
  }
  Copy& copy = state_.copy(use.copy);
  const Queue queue = compute_queue(use.request.memory, use.request.instance);
  const auto same =
      std::find_if(places.begin(), places.end(), [&](const Ticket& at) { return at.queue == queue; });
  const Ticket ticket = same == places.end() ? state_.next(queue) : *same;
  copy.history.forget(state_.passed);
  copy.history.add(use.request.rect, writes(use.request.access), ticket);
  --copy.pins;
  protocol_->finish(planner_, use.copy, use.request);
  publish_if_changed(use.request.object);
  return ticket;
}

const Plan& Directory::update_host(ObjectId id) {
  begin();
  // Not write_back of each copy: what two copies have and the main copy lacks, neither would write.
  const Request all{id, state_.object(id).whole, host, Access::read};
  if (!all.rect.empty()) protocol_->use_on_host(planner_, all);
  planner_.use(state_.object(id).main, all.rect, false, queue_of(host, QueueKind::compute));
  publish(id);
  return plan_;
}

const Plan& Directory::flush(ObjectId id) {
  update_host(id);
  for (const CopyId copy : state_.object(id).copies) protocol_->drop(state_, copy);
  publish(id);
  return plan_;
}

void Directory::invalidate(ObjectId id) {
  begin();
  for (const CopyId copy : state_.object(id).copies) protocol_->drop(state_, copy);
  publish(id);
}

const Plan& Directory::release_devices(ObjectId id) {
  update_host(id);
  remove_copies(id);
  publish(id);
  return plan_;
}

void Directory::done(const Ticket& ticket) {
  std::uint64_t& passed = state_.passed[static_cast<std::size_t>(ticket.queue)];
  passed = std::max(passed, ticket.number);
}

void Directory::forget_done(ObjectId object) {
  state_.main_of(object).history.forget(state_.passed);
  for (const CopyId copy : state_.object(object).copies) state_.copy(copy).history.forget(state_.passed);
  publish(object);
}

void Directory::all_done() {
  state_.passed = state_.issued;
  for (std::size_t id = 0; id < state_.objects.size(); ++id)
    if (state_.objects[id]) forget_done(static_cast<ObjectId>(id));
}

void Directory::restore_copies(const Snapshot& snapshot) {
  snapshot.restore_copies(state_);
  for (std::size_t id = 0; id < state_.objects.size(); ++id)
    if (state_.objects[id]) publish(static_cast<ObjectId>(id));
}

void Directory::reset_statistics() {
  state_.statistics = Statistics(state_.topology.memories());
  for (const auto& object : state_.objects)
    if (object) object->statistics = state_.statistics;
}

/// After the begin or the end of a use, which alone changes nothing for the host.
void Directory::publish_if_changed(ObjectId id) {
  if (checked_ || !plan_.steps.empty()) publish(id);
}

void Directory::publish(ObjectId id) {
  Object& object = state_.object(id);
  History& history = state_.main_of(id).history;
  history.forget(state_.passed);
  bool free = true;
  for (const Use& use : under_way_) free = free && use.request.object != id;  // or overlaps would not be seen
  const bool current = free && protocol_->current(state_, object.main, object.whole);
  object.host_state->readable.store(current && history.only_reads(), std::memory_order_release);
  object.host_state->writable.store(current && history.empty() && protocol_->host_alone(state_, id),
                                    std::memory_order_release);
}

}  // namespace haloheap::coherence::detail
