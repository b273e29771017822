// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/copies.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/peer.hpp>
#include <haloheap/core/base/kokkos_running.hpp>
#include <haloheap/core/base/report_error.hpp>
#include <haloheap/core/coherence/element_store.hpp>
#include <haloheap/core/coherence/queue.hpp>
#include <haloheap/core/memory/buffer.hpp>
#include <haloheap/core/memory/resources/backend_resource.hpp>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

namespace haloheap::coherence {
namespace {

int device_number(const ContextOptions& options) {
  const int there = backend::device_count();
  if (options.devices < 0) return std::min(there, max_devices);
  const int maximum = backend::kernels_on_host || options.share_devices ? max_devices : there;
  if (options.devices <= maximum) return options.devices;
  throw CapabilityError(
      fmt::format("{} devices are asked for, and this process sees {}", options.devices, there),
      "the containers have nowhere to be", "ask for fewer devices, or let them share those that there are");
}

/// The device of the machine that stands for the context's: with fewer of them they are shared, and where
/// devices are emulated there is one for each.
int physical(int device) {
  return backend::kernels_on_host ? device : device % std::max(1, backend::device_count());
}

MemoryTopology make_topology(const ContextOptions& options, int devices) {
  MemoryTopology topology(devices, options.peer, options.capacity);
  topology.host_grain = std::size_t{1} << 16;  // a microsecond of a link, where a copy takes ten
  topology.max_pieces = 64;                    // copies that take about as long as that of some MiB
  if (!options.peer || backend::kernels_on_host) return topology;
  for (int to = 0; to < devices; ++to)
    for (int from = 0; from < devices; ++from) {
      if (physical(from) == physical(to)) continue;
      const bool reached = backend::peer_unavailable_reason(physical(to), physical(from)).empty();
      topology.link(memory_of_device(from), memory_of_device(to)).direct = reached;
      if (reached) backend::enable_peer(physical(to), physical(from));
    }
  return topology;
}

std::shared_ptr<memory::MemoryResource> default_host_memory(bool pinned) {
  return std::make_shared<memory::detail::BackendResource>(pinned ? backend::MemoryKind::pinned
                                                                  : backend::MemoryKind::pageable);
}

int instance_number(const ContextOptions& options) {
  if (options.instances >= 1 && options.instances <= max_instances) return options.instances;
  throw UsageError(fmt::format("{} instances of each device are asked for", options.instances),
                   "there is no context", fmt::format("ask for 1 to {}", max_instances));
}

}  // namespace

struct Context::Impl {
  explicit Impl(const ContextOptions& wanted)
      : options(wanted),
        devices(device_number(wanted)),
        queues_of_device(2 + instance_number(wanted)),
        directory(make_topology(wanted, devices), wanted.policy) {
    directory.check_uses(options.check_uses);
    if (!options.host_memory) options.host_memory = default_host_memory(options.pinned && devices > 0);
    for (int device = 0; device < devices; ++device) {
      memories.push_back(options.device_memory ? options.device_memory(physical(device))
                                               : std::make_shared<memory::detail::BackendResource>(
                                                     backend::MemoryKind::device, physical(device)));
      for (int queue = 0; queue < queues_of_device; ++queue)
        queues.push_back(std::make_unique<detail::WorkQueue>(physical(device)));
    }
    looked_at.resize(queues.size());
  }

  /// Of one type: what calls may have, and how many were made for them.
  struct Kept {
    std::vector<std::shared_ptr<void>> free;
    std::size_t made = 0;
  };

  /// The first queue, that of context.exec(0), waits for what the others have by now, or they for what it
  /// has.
  void the_first_follows_all() {
    for (std::size_t i = 1; i < queues.size(); ++i) queues.front()->follow(*queues[i]);
  }
  void all_follow_the_first() {
    for (std::size_t i = 1; i < queues.size(); ++i) queues[i]->follow(*queues.front());
  }
  /// Whoever waits for any work waits for all that the queue has by now.
  void cover_all() {
    for (std::size_t i = 0; i < queues.size(); ++i)
      queues[i]->cover(directory.state().issued[static_cast<std::size_t>(number_of(i))]);
  }
  detail::Queue number_of(std::size_t queue) const {
    const int place = static_cast<int>(queue);
    return memory_of_device(place / queues_of_device) * detail::queues_of_memory + place % queues_of_device;
  }

  /// Before all that takes memory or enqueues work.
  std::unique_lock<std::mutex> enter() {
    require_kokkos("coherence::Context");
    return std::unique_lock(mutex);
  }

  detail::WorkQueue& queue(detail::Queue number) {
    const int device = device_of(detail::memory_of_queue(number));
    return *queues[static_cast<std::size_t>(device * queues_of_device + number % detail::queues_of_memory)];
  }

  memory::Buffer& block(detail::CopyId id) {
    const auto slot = static_cast<std::size_t>(id);
    if (slot >= blocks.size()) blocks.resize(slot + 1);
    return blocks[slot];
  }

  /// Elements that there is memory for on the host.
  ElementIndex room(const detail::Object& object) {
    return static_cast<ElementIndex>(block(object.main).bytes() / object.element_bytes);
  }

  std::byte* address(detail::CopyId id, const Rect& rect) {
    const detail::Copy& copy = directory.state().copy(id);
    const auto bytes = static_cast<ElementIndex>(directory.state().object(copy.object).element_bytes);
    const ElementIndex place =
        (rect.row - copy.rect.row) * copy.rect.columns() + rect.column - copy.rect.column;
    return block(id).data() + place * bytes;
  }

  void wait_on_host(const detail::Ticket& ticket) {
    cannot_record("they wait for work");
    await(ticket);
  }
  void await(const detail::Ticket& ticket) {
    queue(ticket.queue).event_of(ticket).wait_on_host();
    directory.done(ticket);
  }

  void forbid_while_recording(std::string_view what) const {
    if (recording)
      throw UsageError(fmt::format("calls are repeated that do what they did not do before: {}", what),
                       "they were not all made", "make the same calls in each repetition");
  }
  void cannot_record(std::string_view why) {
    forbid_while_recording(why);
    if (obstacle.empty()) obstacle = why;
  }
  void changes_memory() {
    forbid_while_recording("they take or give back memory");
    memory_changed = true;
  }

  /// Now and then: what is done need not be remembered.
  void look_for_done_work() {
    if (recording || ++uses % 32 != 0) return;
    for (std::size_t i = 0; i < queues.size(); ++i) {
      const detail::Queue number = number_of(i);
      if (looked_at[i].number > 0 && queues[i]->event_of(looked_at[i]).ready()) directory.done(looked_at[i]);
      looked_at[i] = {number, directory.state().issued[static_cast<std::size_t>(number)]};
    }
  }

  void carry_out(const detail::Plan& plan) {
    for (const detail::Step& step : plan.steps) {
      switch (step.kind) {
        case detail::Step::Kind::copy:
          copy(plan, step);
          break;
        case detail::Step::Kind::release:
          changes_memory();
          for (const detail::Ticket& ticket : plan.dependences(step.after)) await(ticket);
          block(step.to) = memory::Buffer();
          break;
        case detail::Step::Kind::allocate:
          changes_memory();
          allocate(step.to);
          break;
      }
    }
  }

  void allocate(detail::CopyId id) {
    const detail::Copy& copy = directory.state().copy(id);
    const detail::Object& object = directory.state().object(copy.object);
    block(id) = memory::Buffer(memories[static_cast<std::size_t>(device_of(copy.memory))],
                               object.bytes(copy.rect), "haloheap::coherence::" + object.label);
  }

  void copy(const detail::Plan& plan, const detail::Step& step) {
    detail::WorkQueue& work = queue(step.ticket.queue);
    for (const detail::Ticket& ticket : plan.dependences(step.after))
      queue(ticket.queue).event_of(ticket).wait_on(work.exec());
    const detail::Copy& from = directory.state().copy(step.from);
    const detail::Copy& to = directory.state().copy(step.to);
    const std::size_t element = directory.state().object(from.object).element_bytes;
    const auto bytes = [&](ElementIndex columns) { return static_cast<std::size_t>(columns) * element; };
    const auto rows = static_cast<std::size_t>(step.rect.rows());
    const std::size_t row_bytes = bytes(step.rect.columns());
    const bool one_run =
        rows == 1 || (from.rect.columns() == step.rect.columns() && to.rect.columns() == step.rect.columns());
    std::byte* const target = address(step.to, step.rect);
    const std::byte* const source = address(step.from, step.rect);
    const int source_device = from.memory == host ? -1 : physical(device_of(from.memory));
    const int target_device = to.memory == host ? -1 : physical(device_of(to.memory));
    const bool between = source_device >= 0 && target_device >= 0 && source_device != target_device;
    if (one_run && between) {
      backend::copy_peer_async(work.exec(), target, target_device, source, source_device, rows * row_bytes);
    } else if (one_run) {
      backend::copy_async(work.exec(), target, source, rows * row_bytes);
    } else if (between) {
      backend::copy_rows_peer_async(work.exec(), target, target_device, bytes(to.rect.columns()), source,
                                    source_device, bytes(from.rect.columns()), row_bytes, rows);
    } else {
      backend::copy_rows_async(work.exec(), target, bytes(to.rect.columns()), source,
                               bytes(from.rect.columns()), row_bytes, rows);
    }
    work.record(step.ticket);
  }

  /// The memory that the directory has room for may not be there: others may have taken it.
  void reserve(const detail::Use& use) {
    try {
      return carry_out(directory.plan());
    } catch (const OutOfMemory&) {  // by the last step, which allocates
    }
    do {
      directory.relieve(use);
      carry_out(directory.plan());
    } while (!try_allocate(use.copy));
  }

  bool try_allocate(detail::CopyId id) {
    try {
      allocate(id);
      return true;
    } catch (const OutOfMemory&) {
      return false;
    }
  }

  void wait_for_host_use(detail::ObjectId object) {
    const auto tickets = directory.plan().dependences(directory.plan().after);
    for (const detail::Ticket& ticket : tickets) wait_on_host(ticket);
    if (!tickets.empty()) directory.forget_done(object);
  }

  /// Work may have been launched past the directory on the instance of a copy that is kept.
  void mark(const detail::Use& use) {
    const detail::Ticket ticket = directory.mark(use);
    if (ticket.number == 0) return;  // its container is gone
    detail::WorkQueue& work = queue(ticket.queue);
    const detail::Plan& plan = directory.plan();
    for (const detail::Ticket& earlier : plan.dependences(plan.after))
      queue(earlier.queue).event_of(earlier).wait_on(work.exec());
    work.record(ticket);
  }
  /// Before a plan that may use copies of the object.
  void mark_kept(detail::ObjectId object) {
    for (const detail::Use& use : kept_copies)
      if (use.request.object == object) mark(use);
  }

  void note_call(detail::ObjectId object) {
    const auto number = static_cast<std::size_t>(object);
    if (number >= called.size()) called.resize(number + 1);
    called[number] = true;
  }

  void rethrow() {
    if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
  }

  /// Does a destructor's work; the first error is kept for the next call that may throw.
  template <class Work>
  void keep_what_throws(const Work& work) noexcept {
    try {
      work();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }

  /// None of them finds its elements again.
  void end_containers() {
    for (const auto& object : directory.state().objects) {
      if (!object) continue;
      object->host_state->readable = object->host_state->writable = false;
      object->host_state->ended = true;
    }
  }

  /// \throws UsageError that names a container which is still there
  void require_no_containers() const {
    int others = -1;
    const detail::Object* first = nullptr;
    for (const auto& object : directory.state().objects)
      if (object && ++others == 0) first = object.get();
    if (first == nullptr) return;
    const std::string more = others == 0 ? "" : fmt::format(" and {} more", others);
    throw UsageError(fmt::format("the context ends before its container '{}'{}", first->label, more),
                     "its elements are lost", "declare a context before its containers");
  }

  backend::CurrentDeviceKeeper current_device;  ///< first, as it has to end last
  ContextOptions options;
  int devices;
  int queues_of_device;
  detail::Directory directory;
  std::vector<std::shared_ptr<memory::MemoryResource>> memories;
  std::vector<std::unique_ptr<detail::WorkQueue>> queues;
  std::vector<detail::Use> kept_copies;
  std::vector<detail::Ticket> looked_at;  ///< of each queue: the last when it was looked at last
  std::uint64_t uses = 0;
  std::vector<memory::Buffer> blocks;                                  // by copy
  std::vector<std::shared_ptr<memory::MemoryResource>> host_memories;  // by object
  std::map<std::type_index, Kept> kept;
  bool recording = false;  ///< the calls that are made
  /// Since `watch`: what a graph cannot do, whether memory was taken or given back, objects of calls.
  std::string obstacle;
  bool memory_changed = false;
  std::vector<bool> called;
  std::exception_ptr failure;  ///< the first that a destructor met since the last that was thrown
  mutable std::mutex mutex;
};

Context::Context(const ContextOptions& options) {
  require_kokkos("coherence::Context");
  impl_ = std::make_unique<Impl>(options);
}

Context::~Context() {
  constexpr std::string_view where = "coherence::Context::~Context";
  const bool running = Kokkos::is_initialized();
  if (running) impl_->kept.clear();  // has containers of this context
  base::report_what_throws(where, [&] { impl_->rethrow(); });
  base::report_what_throws(where, [&] { require_kokkos("coherence::Context"); });
  impl_->end_containers();
  if (running) {
    base::report_what_throws(where, [&] { impl_->require_no_containers(); });
    for (const auto& queue : impl_->queues)
      base::report_what_throws(where, [&] { queue->exec().fence("haloheap::coherence::Context::~Context"); });
  } else {
    impl_.release();  // its instances and its memory cannot be given back without Kokkos
  }
}

void detail::throw_ended(const std::string& label) {
  throw UsageError(fmt::format("'{}' is used after its context has ended", label), "its elements are lost",
                   "declare a context before its containers");
}

void detail::throw_moved_from() {
  throw UsageError("a container is used that was moved from", "it has no elements",
                   "assign another to it first");
}

const ContextOptions& Context::options() const {
  return impl_->options;
}
int Context::devices() const {
  return impl_->devices;
}

const Context::Exec& Context::exec(int device, int instance) const {
  if (device < 0 || device >= devices())
    throw UsageError(
        fmt::format("there is no device {} that work could be launched on: {} there are", device, devices()));
  if (instance < 0 || instance >= instances())
    throw UsageError(fmt::format("device {} has no instance {}: the context has {} of each", device, instance,
                                 instances()));
  return impl_->queue(detail::compute_queue(memory_of_device(device), instance)).exec();
}

void Context::cannot_record(std::string_view why) const {
  const std::scoped_lock lock(impl_->mutex);
  impl_->cannot_record(why);
}

void Context::fence() {
  require_kokkos("coherence::Context");
  cannot_record("they wait for work");
  for (auto& queue : impl_->queues) queue->exec().fence("haloheap::coherence::Context::fence");
  const std::scoped_lock lock(impl_->mutex);
  impl_->rethrow();
}

Statistics Context::statistics() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->directory.statistics();
}

void Context::reset_statistics() {
  const std::scoped_lock lock(impl_->mutex);
  impl_->directory.reset_statistics();
}

bool Context::peer(int from, int to) const {
  return impl_->directory.state().topology.link(memory_of_device(from), memory_of_device(to)).direct;
}

namespace detail {

Statistics ElementStore::statistics(ObjectId object) const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->directory.statistics(object);
}

Main ElementStore::add(const Shape& shape, std::shared_ptr<memory::MemoryResource> host_memory) {
  const auto lock = impl_->enter();
  impl_->changes_memory();
  const ObjectId id = impl_->directory.add(shape);
  const Object& object = impl_->directory.state().object(id);
  auto& memories = impl_->host_memories;
  memories.resize(std::max(memories.size(), static_cast<std::size_t>(id) + 1));
  memories[static_cast<std::size_t>(id)] = host_memory ? std::move(host_memory) : impl_->options.host_memory;
  try {
    impl_->block(object.main) =
        memory::Buffer(memories[static_cast<std::size_t>(id)], object.bytes(object.whole),
                       "haloheap::coherence::" + shape.label);
  } catch (...) {
    impl_->directory.remove(id);
    throw;
  }
  return {id, impl_->block(object.main).data(), impl_->room(object), object.host_state};
}

void ElementStore::remove(ObjectId id, bool keep) noexcept {
  const std::scoped_lock lock(impl_->mutex);
  const Object& object = impl_->directory.state().object(id);
  const CopyId main = object.main;
  impl_->keep_what_throws([&] {
    const std::string use = impl_->directory.use_under_way(id);
    if (!use.empty())
      throw UsageError(fmt::format("'{}' ends while {}", object.label, use), "the use has lost its elements",
                       "end accesses before their container");
  });
  impl_->keep_what_throws([&] { impl_->mark_kept(id); });
  if (keep)
    impl_->keep_what_throws([&] {
      impl_->carry_out(impl_->directory.update_host(id));
      impl_->wait_for_host_use(id);
    });
  impl_->keep_what_throws([&] {
    const Plan& plan = impl_->directory.remove(id);
    impl_->carry_out(plan);
    for (const Ticket& ticket : plan.dependences(plan.after)) impl_->wait_on_host(ticket);
  });
  impl_->block(main) = memory::Buffer();
}

Main ElementStore::resize(ObjectId id, ElementIndex rows, ElementIndex columns, ElementIndex room) {
  const auto lock = impl_->enter();
  impl_->rethrow();
  impl_->directory.require_resizable(id, rows, columns);
  const Object& object = impl_->directory.state().object(id);
  const Rect old = object.whole;
  impl_->carry_out(impl_->directory.release_devices(id));
  impl_->wait_for_host_use(id);
  memory::Buffer& elements = impl_->block(object.main);
  if (old.rows() > 1 || rows > 1 || impl_->room(object) != room) {
    memory::Buffer next(impl_->host_memories[static_cast<std::size_t>(id)], object.bytes({0, 1, 0, room}),
                        "haloheap::coherence::" + object.label);
    const Rect kept = intersect(old, {0, rows, 0, columns});
    const std::size_t kept_bytes = object.bytes({0, 1, 0, kept.columns()});
    for (ElementIndex row = 0; kept_bytes > 0 && row < kept.rows(); ++row)
      std::copy_n(elements.data() + object.bytes({0, 1, 0, row * old.columns()}), kept_bytes,
                  next.data() + object.bytes({0, 1, 0, row * columns}));
    impl_->carry_out(impl_->directory.resize(id, rows, columns));
    elements = std::move(next);
  } else {
    impl_->carry_out(impl_->directory.resize(id, rows, columns));
  }
  return {id, elements.data(), room, object.host_state};
}

Use ElementStore::hold(const Request& request) {
  const auto lock = impl_->enter();
  impl_->rethrow();
  impl_->look_for_done_work();
  if (request.memory == host) impl_->cannot_record("they use elements on the host");
  impl_->note_call(request.object);
  if (request.instance != 0 && request.memory > host)
    (void)context_.exec(device_of(request.memory), request.instance);
  const Use use = impl_->directory.reserve(request);
  if (request.memory != host) impl_->reserve(use);
  return use;
}

Grant ElementStore::bring(const Use& use) {
  const std::scoped_lock lock(impl_->mutex);
  const Request& request = use.request;
  impl_->mark_kept(request.object);
  impl_->directory.update(use);
  const Plan& plan = impl_->directory.plan();
  impl_->carry_out(plan);
  if (request.memory == host) {
    impl_->wait_for_host_use(request.object);
  } else {
    for (const Ticket& ticket : plan.dependences(plan.after))
      impl_->queue(ticket.queue)
          .event_of(ticket)
          .wait_on(context_.exec(device_of(request.memory), request.instance));
  }
  return {use, impl_->address(use.copy, request.rect),
          impl_->directory.state().copy(use.copy).rect.columns()};
}

void ElementStore::evict_unused() {
  const auto lock = impl_->enter();
  impl_->carry_out(impl_->directory.evict_unused());
}

void ElementStore::cancel(const Use& use) noexcept {
  const std::scoped_lock lock(impl_->mutex);
  impl_->keep_what_throws([&] { impl_->directory.cancel(use); });
}

void ElementStore::finish(std::span<const Use> uses) noexcept {
  const std::scoped_lock lock(impl_->mutex);
  std::array<Ticket, max_devices> places;  // a call uses one instance of each device
  std::size_t count = 0;
  for (const Use& use : uses)
    impl_->keep_what_throws([&] {
      const Ticket ticket = impl_->directory.finish(use, std::span(places.data(), count));
      if (ticket.number == 0) return;  // of the host, or of a container that is gone
      if (std::find(places.begin(), places.begin() + count, ticket) == places.begin() + count) {
        impl_->queue(ticket.queue).record(ticket);
        if (count < places.size()) places[count++] = ticket;
      }
      impl_->carry_out(impl_->directory.plan());
    });
  if (impl_->options.asynchronous || impl_->recording) return;
  for (std::size_t i = 0; i < count; ++i) impl_->keep_what_throws([&] { impl_->await(places[i]); });
}

void ElementStore::reserve_copy(const Request& request) {
  if (impl_->directory.protocol().takes_larger_copies()) cancel(hold(request));
}

Grant ElementStore::keep(const Request& request) {
  const auto lock = impl_->enter();
  impl_->rethrow();
  const Use use = impl_->directory.keep(request);
  impl_->reserve(use);
  impl_->kept_copies.push_back(use);
  impl_->mark(use);
  return {use, impl_->address(use.copy, request.rect),
          impl_->directory.state().copy(use.copy).rect.columns()};
}

void ElementStore::let_go(const Use& kept) noexcept {
  const std::scoped_lock lock(impl_->mutex);
  impl_->keep_what_throws([&] { impl_->mark(kept); });
  impl_->directory.let_go(kept);
  const auto same = [&](const Use& use) { return use.copy == kept.copy && use.serial == kept.serial; };
  auto& all = impl_->kept_copies;  // of which there may be several of one copy
  if (const auto one = std::find_if(all.begin(), all.end(), same); one != all.end()) all.erase(one);
}

bool ElementStore::current(const Use& kept) const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->directory.current(kept);
}

bool ElementStore::host_current(ObjectId id) const {
  const std::scoped_lock lock(impl_->mutex);
  const Object& object = impl_->directory.state().object(id);
  return impl_->directory.protocol().current(impl_->directory.state(), object.main, object.whole);
}

void ElementStore::wait_for_copies(const Use& kept) {
  const auto lock = impl_->enter();
  impl_->directory.uses_of(kept);
  impl_->wait_for_host_use(kept.request.object);
  impl_->directory.copies_of_host(kept.request.object);
  impl_->wait_for_host_use(kept.request.object);
}

void ElementStore::update_host(ObjectId object) {
  const auto lock = impl_->enter();
  impl_->rethrow();
  impl_->mark_kept(object);
  impl_->carry_out(impl_->directory.update_host(object));
  impl_->wait_for_host_use(object);
}

void ElementStore::flush(ObjectId object) {
  const auto lock = impl_->enter();
  impl_->rethrow();
  impl_->mark_kept(object);
  impl_->carry_out(impl_->directory.flush(object));
  impl_->wait_for_host_use(object);
}

void ElementStore::invalidate(ObjectId object) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->directory.invalidate(object);
}

void ElementStore::release_devices(ObjectId object) {
  const auto lock = impl_->enter();
  impl_->rethrow();
  impl_->mark_kept(object);
  impl_->carry_out(impl_->directory.release_devices(object));
  impl_->wait_for_host_use(object);
}

void ElementStore::watch() {
  const auto lock = impl_->enter();
  impl_->rethrow();
  impl_->obstacle.clear();
  impl_->memory_changed = false;
  impl_->called.clear();
}

std::string ElementStore::obstacle() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->obstacle;
}

Snapshot ElementStore::snapshot() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->directory.snapshot();
}

bool ElementStore::memory_changed() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->memory_changed;
}

std::vector<bool> ElementStore::called() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->called;
}

bool ElementStore::is_at(const Snapshot& snapshot, const std::vector<bool>& objects) const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->directory.is_at(snapshot, objects);
}

void ElementStore::drain() {
  const auto lock = impl_->enter();
  for (auto& queue : impl_->queues) queue->exec().fence("haloheap::coherence::Repeated");
  impl_->directory.all_done();
}

void ElementStore::enqueue_as_one(const std::function<void()>& calls) {
  impl_->all_follow_the_first();
  impl_->recording = true;
  try {
    calls();
  } catch (...) {
    impl_->recording = false;
    throw;
  }
  impl_->recording = false;
  const std::scoped_lock lock(impl_->mutex);
  impl_->rethrow();  // what ended a use
  impl_->the_first_follows_all();
}

void ElementStore::take_back(const Snapshot& before, bool copies) {
  const std::scoped_lock lock(impl_->mutex);
  impl_->directory.restore_statistics(before);
  if (copies) impl_->directory.restore_copies(before);
  impl_->cover_all();
}

void ElementStore::launch_recorded(const std::function<void()>& launch, const Snapshot& before,
                                   const Snapshot& after, std::uint64_t times) {
  impl_->the_first_follows_all();
  launch();
  impl_->all_follow_the_first();
  const auto lock = impl_->enter();
  impl_->rethrow();
  impl_->cover_all();
  impl_->directory.count_again(before, after, times);
  if (impl_->options.asynchronous) return;
  impl_->queues.front()->exec().fence("haloheap::coherence::Repeated");
}

std::shared_ptr<void> ElementStore::lend(std::type_index type) {
  const std::scoped_lock lock(impl_->mutex);
  Context::Impl::Kept& kept = impl_->kept[type];
  if (kept.free.empty()) {
    kept.free.reserve(++kept.made);  // so that nothing that is given back needs memory
    return nullptr;
  }
  std::shared_ptr<void> thing = std::move(kept.free.back());
  kept.free.pop_back();
  return thing;
}

void ElementStore::give_back(std::type_index type, std::shared_ptr<void> thing) noexcept {
  const std::scoped_lock lock(impl_->mutex);
  impl_->kept[type].free.push_back(std::move(thing));
}

}  // namespace detail

}  // namespace haloheap::coherence
