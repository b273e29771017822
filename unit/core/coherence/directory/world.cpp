// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/invariants.hpp>
#include <haloheap/unit/core/coherence/directory/world.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace haloheap::coherence::test {
namespace {

std::vector<detail::Ticket> tickets_after(const detail::Plan& plan) {
  const auto found = plan.dependences(plan.after);
  return {found.begin(), found.end()};
}

std::unique_ptr<Later> make_later(const Setting& setting) {
  if (!setting.deferred) return nullptr;
  return std::make_unique<Later>((setting.devices + 1) * detail::queues_of_memory, setting.seed);
}

}  // namespace

World::World(const Setting& setting)
    : setting_(setting),
      directory_(topology_of(setting), setting.policy),
      later_(make_later(setting)),
      memories_(directory_.state(), truth_, later_.get(), setting.entry().knows_elements) {
  directory_.check_uses(setting.seed % 2 == 0);
  truth_.resize(static_cast<std::size_t>(setting.objects));
  for (detail::ObjectId object = 0; object < setting.objects; ++object) add(object);
}

void World::add(detail::ObjectId object) {
  // Elements of different sizes, so that bytes are not taken for elements.
  const std::size_t size = object == 0 ? 1 : 2;
  const detail::ObjectId id = directory_.add(
      {setting_.rows, setting_.columns, size, "v" + std::to_string(object), setting_.rows == 1});
  require(id == object, "a new object has an unexpected number");
  const detail::Object& added = directory_.state().object(id);
  memories_.add_main(added.main, id);
  truth_of(id) = Versions(added.whole);
  Buffer& main = *memories_.at(added.main);
  for_each(added.whole, [&](ElementIndex row, ElementIndex column) {
    main.now.at(row, column) = main.later.at(row, column) = truth_of(id).at(row, column) = ++newest_;
  });
}

bool World::cut(detail::Request& request) const {
  request.rect = intersect(request.rect, directory_.state().object(request.object).whole);
  return !request.rect.empty();
}

/// The one thing that a policy may refuse.
bool World::refused(const detail::Request& request) const {
  const detail::Object& object = directory_.state().object(request.object);
  return !setting_.entry().sub_matrices && request.memory != host && request.rect.rows() > 1 &&
         request.rect.columns() < object.whole.columns();
}

bool World::try_carry_out(const detail::Plan& plan, int& failures) {
  const bool whole = memories_.carry_out(plan, failures);
  for (const auto& [object, ticket] : memories_.last_copies()) {
    if (later_) continue;
    directory_.done(ticket);
    directory_.forget_done(object);
  }
  return whole;
}

void World::carry_out(const detail::Plan& plan) {
  int none = 0;
  try_carry_out(plan, none);
}

void World::check_full(const DeviceFull& error, const detail::Request& request, bool relieved) const {
  const std::size_t needed = directory_.state().object(request.object).bytes(request.rect);
  require(error.needed() == needed, "DeviceFull does not say what is needed");
  const std::size_t held = memories_.held_bytes(request.memory);
  if (relieved) {
    require(directory_.state().used[static_cast<std::size_t>(request.memory)] == held,
            "DeviceFull although a copy could have gone");
    return;
  }
  require(held + needed > directory_.state().topology.capacity(request.memory),
          "DeviceFull although there is room");
}

/// Memory for a use: the plan of reserve is carried out, and of relieve until there is some.
bool World::get_memory(const detail::Use& use, int failures) {
  if (try_carry_out(directory_.plan(), failures)) return true;
  try {
    do {
      directory_.relieve(use);
      carry_out(directory_.plan());
    } while (!memories_.allocate(use.copy, failures));
  } catch (const DeviceFull& error) {
    check_full(error, use.request, true);
    return false;
  }
  return true;
}

std::optional<detail::Use> World::reserve(const detail::Request& request, int failures) {
  try {
    const detail::Use use = directory_.reserve(request);
    if (!get_memory(use, failures)) return std::nullopt;
    memories_.hold(use.copy);
    return use;
  } catch (const DeviceFull& error) {
    check_full(error, request, false);
  } catch (const CapabilityError&) {
    require(refused(request), "a use is refused that can be had");
  }
  return std::nullopt;
}

World::Held World::held(const detail::Use& use) {
  require(use.request.memory == memories_.at(use.copy)->memory, "a copy in another memory is used");
  require(memories_.at(use.copy)->rect().contains(use.request.rect), "a copy is used that lacks elements");
  return {use, tickets_after(directory_.plan()), Versions(), Versions()};
}

World::Held World::update(const detail::Use& use) {
  directory_.update(use);
  carry_out(directory_.plan());
  return held(use);
}

std::optional<World::Held> World::acquire(const detail::Request& request, int failures) {
  if (failures > 0) {
    const std::optional<detail::Use> use = reserve(request, failures);
    return use ? std::optional(update(*use)) : std::nullopt;
  }
  try {
    const detail::Use use = directory_.acquire(request);
    carry_out(directory_.plan());
    memories_.hold(use.copy);
    return held(use);
  } catch (const DeviceFull& error) {
    check_full(error, request, false);
  } catch (const CapabilityError&) {
    require(refused(request), "a use is refused that can be had");
  }
  return std::nullopt;
}

void World::cancel(const detail::Use& use) {
  directory_.cancel(use);
  memories_.let_go(use.copy);
  carry_out(directory_.plan());
}

void World::use(Memory memory, Access access, const Rect& rect, detail::ObjectId object, int failures) {
  memories_.begin_operation(oldest_first());
  detail::Request request{object, rect, memory, access};
  if (!cut(request) || conflicts(request)) return;
  if (const auto operand = acquire(request, failures)) work({*operand});
  check();
}

void World::together(detail::Request first, detail::Request second, bool reserve_first) {
  memories_.begin_operation(oldest_first());
  if (!cut(first) || !cut(second) || conflicts(first) || conflicts(second)) return;
  if (reserve_first) {
    const auto a = reserve(first, 0);
    const auto b = a ? reserve(second, 0) : std::nullopt;
    if (a && b) {
      const Held held_a = update(*a);
      work({held_a, update(*b)});
    } else if (a) {
      cancel(*a);
    }
  } else if (const auto a = acquire(first, 0)) {
    const auto b = acquire(second, 0);
    work(b ? std::vector{*a, *b} : std::vector{*a});
  }
  check();
}

void World::write_truth(const detail::Request& request) {
  if (!writes(request.access)) return;
  for_each(request.rect, [&](ElementIndex row, ElementIndex column) {
    truth_of(request.object).at(row, column) = ++newest_;
  });
}

void World::read(const Held& operand) const {
  const detail::Request& request = operand.use.request;
  if (reads(request.access))
    require(equal(memories_.at(operand.use.copy)->now, operand.old, request.rect),
            "a use reads old elements");
}

/// From now on the use may read, and what it writes is the truth; it is written when the use ends.
void World::begin(Held& operand) {
  operand.old = truth(operand.use.request.object);
  read(operand);
  write_truth(operand.use.request);
  operand.written = truth(operand.use.request.object);
}

/// What the operands are for. All is read before anything is written.
void World::work(std::vector<Held> operands) {
  for (Held& operand : operands) begin(operand);
  finish(operands);
}

void World::finish(const std::vector<Held>& operands) {
  std::vector<Held> on_device;
  for (const Held& operand : operands)
    if (operand.use.request.memory == host)
      finish_on_host(operand);
    else if (on_device.empty() || on_device[0].use.request.memory == operand.use.request.memory)
      on_device.push_back(operand);
    else
      finish_on_device({operand});
  if (!on_device.empty()) finish_on_device(on_device);
}

void World::host_waits(detail::ObjectId object, const std::vector<detail::Ticket>& tickets) {
  if (!later_) return;
  later_->wait(tickets);
  for (const detail::Ticket& ticket : tickets) directory_.done(ticket);
  directory_.forget_done(object);
  // Now and then the directory hears of other work, too.
  if (setting_.seed % 4 < 2) return;
  for (const detail::Ticket& ticket : later_->done()) directory_.done(ticket);
}

void World::wait_on_host(const Held& operand) {
  const detail::Request& request = operand.use.request;
  host_waits(request.object, operand.after);
  if (later_ && reads(request.access))
    require(equal(memories_.at(operand.use.copy)->later, operand.old, request.rect),
            "the host reads before elements are there");
}

void World::finish_on_host(const Held& operand) {
  const detail::Request& request = operand.use.request;
  Buffer& main = *memories_.at(operand.use.copy);
  wait_on_host(operand);
  for (Versions* versions : {&main.now, &main.later})
    assign(*versions, operand.written, writes(request.access) ? request.rect : Rect{});
  directory_.finish(operand.use);
  memories_.let_go(operand.use.copy);
  carry_out(directory_.plan());
}

/// One kernel that uses all operands. It stands where finish says of the first.
void World::finish_on_device(const std::vector<Held>& operands) {
  Action kernel;
  std::vector<std::function<void()>> parts;
  for (const Held& operand : operands) {
    const detail::Request request = operand.use.request;
    const BufferPtr buffer = memories_.at(operand.use.copy);
    assign(buffer->now, operand.written, writes(request.access) ? request.rect : Rect{});
    kernel.after.insert(kernel.after.end(), operand.after.begin(), operand.after.end());
    kernel.buffers.push_back(buffer);
    parts.emplace_back([buffer = buffer.get(), request, old = operand.old, written = operand.written] {
      if (reads(request.access))
        require(equal(buffer->later, old, request.rect), "a kernel reads before elements are there");
      if (writes(request.access)) assign(buffer->later, written, request.rect);
    });
  }
  kernel.run = [parts] {
    for (const auto& part : parts) part();
  };
  for (const Held& operand : operands) {
    kernel.ticket = directory_.finish(operand.use);
    require(kernel.ticket.queue == detail::queue_of(operand.use.request.memory, detail::QueueKind::compute),
            "work in a wrong queue");
    if (later_) later_->add(std::exchange(kernel, Action()));
    memories_.let_go(operand.use.copy);
    carry_out(directory_.plan());
  }
}

void World::open(detail::Request request, bool only_reserve) {
  constexpr std::size_t maximum = 3;
  memories_.begin_operation(oldest_first());
  if (open_.size() == maximum || !cut(request) || conflicts(request)) return;
  if (only_reserve) {
    if (const auto use = reserve(request, 0)) open_.push_back({*use, {}, Versions(), Versions(), false});
  } else if (auto operand = acquire(request, 0)) {
    begin(*operand);
    if (request.memory == host) wait_on_host(*operand);
    open_.push_back(std::move(*operand));
  }
  check();
}

void World::close(std::size_t which) {
  if (open_.empty()) return;
  memories_.begin_operation(oldest_first());
  const auto place = open_.begin() + static_cast<std::ptrdiff_t>(which % open_.size());
  const Held ended = std::move(*place);
  open_.erase(place);
  if (ended.brought) {
    read(ended);
    finish({ended});
  } else {
    work({update(ended.use)});
  }
  check();
}

bool World::conflicts(const detail::Request& request) const {
  for (const Held& other : open_) {
    const detail::Request& mine = other.use.request;
    if (mine.object == request.object && (writes(mine.access) || writes(request.access)) &&
        overlap(mine.rect, request.rect))
      return true;
  }
  return false;
}

bool World::conflicts(detail::ObjectId object, Access access) const {
  return conflicts({object, directory_.state().object(object).whole, host, access});
}

/// With the elements that open uses are about to write: invariants are about those, steps must not touch
/// them.
template <class Function>
void World::as_if_written(const Function& function) {
  std::vector<std::pair<BufferPtr, std::pair<Versions, Versions>>> before;
  for (const Held& use : open_) {
    const detail::Request& request = use.use.request;
    if (!use.brought || !writes(request.access)) continue;
    const BufferPtr& buffer = memories_.at(use.use.copy);
    before.emplace_back(buffer, std::pair(buffer->now, buffer->later));
    assign(buffer->now, use.written, request.rect);
    if (request.memory == host) assign(buffer->later, use.written, request.rect);
  }
  function();
  for (; !before.empty(); before.pop_back())
    std::tie(before.back().first->now, before.back().first->later) = before.back().second;
}

void World::direct(Access access, const Rect& rect, detail::ObjectId object) {
  detail::Request request{object, rect, host, access};
  if (!cut(request) || conflicts(request)) return;
  const detail::HostState& state = directory_.host_state(object);
  if (!(writes(access) ? state.writable : state.readable)) return use(host, access, rect, object);
  Buffer& main = *memories_.at(directory_.state().object(object).main);
  as_if_written([&] {
    require(!later_ || equal(main.later, truth(object), main.rect()),
            "direct access before elements are there");
  });
  write_truth(request);
  for (Versions* versions : {&main.now, &main.later})
    assign(*versions, truth(object), writes(access) ? request.rect : Rect{});
  check();
}

/// The main copy has everything, and the host may look at it.
void World::require_main(detail::ObjectId object) {
  const detail::Plan& plan = directory_.plan();
  const std::vector<detail::Ticket> after = tickets_after(plan);
  carry_out(plan);
  host_waits(object, after);
  const Buffer& main = *memories_.at(directory_.state().object(object).main);
  require(equal(main.now, truth(object), main.rect()), "the main copy is not current");
  require(!later_ || equal(main.later, truth(object), main.rect()), "the main copy is not current yet");
}

void World::resize(ElementIndex rows, ElementIndex columns, detail::ObjectId object) {
  if (conflicts(object, Access::write)) return;
  memories_.begin_operation(false);
  const detail::CopyId main = directory_.state().object(object).main;
  const BufferPtr old = memories_.at(main);
  // First this: steps of resize itself would name copies that the state knows in their new size.
  directory_.release_devices(object);
  require_main(object);
  directory_.resize(object, rows, columns);
  require(directory_.plan().steps.empty(), "steps are left after release_devices");
  require_main(object);
  memories_.remove_main(main);
  memories_.add_main(main, object);
  const Rect kept = intersect(old->rect(), {0, rows, 0, columns});
  Buffer& next = *memories_.at(main);
  for_each(next.rect(), [&](ElementIndex row, ElementIndex column) { next.now.at(row, column) = ++newest_; });
  assign(next.now, old->now, kept);
  truth_of(object) = next.later = next.now;
  check();
}

void World::replace(detail::ObjectId object) {
  if (conflicts(object, Access::write)) return;
  memories_.begin_operation(false);
  const detail::CopyId main = directory_.state().object(object).main;
  directory_.remove(object);
  const detail::Plan& plan = directory_.plan();
  int none = 0;
  memories_.carry_out(plan, none);
  if (later_) later_->wait(tickets_after(plan));
  memories_.remove_main(main);
  add(object);
  check();
}

void World::invalidate(detail::ObjectId object) {
  if (conflicts(object, Access::write)) return;
  directory_.invalidate(object);
  carry_out(directory_.plan());
  memories_.forget(object);
  truth_of(object) = memories_.at(directory_.state().object(object).main)->now;
  check();
}

void World::flush(detail::ObjectId object) {
  if (conflicts(object, Access::write)) return;
  memories_.begin_operation(false);
  directory_.flush(object);
  require_main(object);
  memories_.forget(object);
  check();
}

void World::update_host(detail::ObjectId object) {
  if (conflicts(object, Access::read)) return;
  memories_.begin_operation(false);
  directory_.update_host(object);
  require_main(object);
  require(later_ || conflicts(object, Access::write) || directory_.host_state(object).readable,
          "all is on the host, and the directory does not know");
  check();
}

void World::release_devices(detail::ObjectId object) {
  if (conflicts(object, Access::read)) return;
  memories_.begin_operation(false);
  directory_.release_devices(object);
  require_main(object);
  for (const detail::CopyId copy : directory_.state().object(object).copies)
    require(directory_.state().copy(copy).pins > 0, "a copy stays on a device");
  check();
}

void World::check() {
  memories_.compare_books();
  as_if_written([&] {
    for (detail::ObjectId object = 0; object < setting_.objects; ++object) {
      const auto check_copies = setting_.entry().knows_elements ? check_regions : check_flags;
      check_copies(directory_.state(), memories_, truth(object), object);
      check_host_state(directory_, memories_, truth(object), object);
    }
  });
}

void World::end() {
  while (!open_.empty()) close();
  if (!later_) return;
  later_->all();
  for (const auto& [id, buffer] : memories_.buffers())
    for_each(buffer->rect(), [&, &found = *buffer](ElementIndex row, ElementIndex column) {
      const Version now = found.now.at(row, column);
      require(now == garbage || now == found.later.at(row, column),
              "the outcome depends on the order of work");
    });
}

void World::apply(const Operation& operation) {
  const detail::Request& first = operation.first;
  switch (operation.kind) {
    case Operation::Kind::use:
      return use(first.memory, first.access, first.rect, first.object, operation.failures);
    case Operation::Kind::together:
      return together(first, operation.second, operation.reserve_first);
    case Operation::Kind::direct:
      return direct(first.access, first.rect, first.object);
    case Operation::Kind::open:
      return open(first, operation.reserve_first);
    case Operation::Kind::close:
      return close(operation.which);
    case Operation::Kind::resize:
      return resize(first.rect.row_end, first.rect.column_end, first.object);
    case Operation::Kind::replace:
      return replace(first.object);
    case Operation::Kind::invalidate:
      return invalidate(first.object);
    case Operation::Kind::flush:
      return flush(first.object);
    case Operation::Kind::update_host:
      return update_host(first.object);
    case Operation::Kind::release_devices:
      return release_devices(first.object);
  }
}

}  // namespace haloheap::coherence::test
