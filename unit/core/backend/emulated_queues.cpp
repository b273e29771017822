// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/backend/emulated_queues.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace haloheap::testing {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

/// How likely work is done before anybody waits for it.
constexpr std::array eagernesses = {0.0, 0.0, 0.2, 0.5, 0.8};
/// Of pieces of work, after how many a queue changes its place among the others.
constexpr int pieces_a_priority = 8;

EmulatedQueues* in_use = nullptr;

void on_kokkos() {
  if (in_use != nullptr) in_use->drain_all();
}

}  // namespace

EmulatedQueues::EmulatedQueues(std::uint64_t seed) : random_(seed * 0x9e3779b97f4a7c15ULL + 1) {
  eagerness_ = eagernesses[random_() % eagernesses.size()];
  watch_kokkos();
  in_use = this;
  backend::host::queues_in_use.store(this, std::memory_order_release);
}

EmulatedQueues::~EmulatedQueues() {
  drain_all();
  backend::host::queues_in_use.store(nullptr, std::memory_order_release);
  in_use = nullptr;
  Kokkos::Tools::Experimental::set_callbacks(callbacks_before_);
}

bool EmulatedQueues::possible() {
  return Kokkos::Experimental::partition_space(Exec(), 1)[0] != Exec();
}

/// A kernel that is launched past the queues, a copy or a fence of Kokkos' own.
void EmulatedQueues::watch_kokkos() {
  namespace tools = Kokkos::Tools::Experimental;
  callbacks_before_ = tools::get_callbacks();
  const auto on_kernel = [](const char*, std::uint32_t, std::uint64_t*) { on_kokkos(); };
  tools::set_begin_parallel_for_callback(on_kernel);
  tools::set_begin_parallel_reduce_callback(on_kernel);
  tools::set_begin_parallel_scan_callback(on_kernel);
  tools::set_begin_fence_callback(on_kernel);
  tools::set_begin_deep_copy_callback([](Kokkos::Profiling::SpaceHandle, const char*, const void*,
                                         Kokkos::Profiling::SpaceHandle, const char*, const void*,
                                         std::uint64_t) { on_kokkos(); });
}

backend::Exec EmulatedQueues::make() {
  const Lock lock(mutex_);
  const bool outside = !std::exchange(at_work_, true);  // Kokkos fences when an instance is made
  const Exec exec = Kokkos::Experimental::partition_space(Exec(), 1)[0];
  if (outside) at_work_ = false;
  return queue_of(exec).exec;
}

EmulatedQueues::Queue& EmulatedQueues::queue_of(const Exec& exec) {
  for (Queue& queue : queues_)
    if (queue.exec == exec) return queue;
  return queues_.emplace_back(Queue{exec, random_(), {}});
}

void EmulatedQueues::add(const Exec& exec, Entry entry) {
  entry.number = ++enqueued_;
  queue_of(exec).entries.push_back(std::move(entry));
  do_some();
}

void EmulatedQueues::enqueue(const Exec& exec, std::function<void()> work) {
  const Lock lock(mutex_);
  add(exec, {.work = std::move(work), .after = nullptr, .mark = nullptr});
}

std::shared_ptr<const backend::host::Mark> EmulatedQueues::mark(const Exec& exec) {
  const Lock lock(mutex_);
  auto mark = std::make_shared<QueueMark>();
  mark->queue = &queue_of(exec);
  add(exec, {.work = nullptr, .after = nullptr, .mark = mark});
  return mark;
}

void EmulatedQueues::order(const Exec& exec, const std::shared_ptr<const Mark>& mark) {
  const Lock lock(mutex_);
  add(exec, {.work = nullptr, .after = std::static_pointer_cast<const QueueMark>(mark), .mark = nullptr});
}

bool EmulatedQueues::reached(const Mark& mark) {
  const Lock lock(mutex_);
  if (!mark.reached && chance(std::max(eagerness_, 0.125))) do_any();
  return mark.reached;
}

void EmulatedQueues::await(const Mark& mark) {
  const Lock lock(mutex_);
  while (!mark.reached) {
    if (chance(eagerness_)) {
      do_any();
      continue;
    }
    std::set<const QueueMark*> seen;
    std::set<Queue*> queues;
    needed_for(static_cast<const QueueMark&>(mark), seen, queues);
    do_one_of(queues);
  }
}

void EmulatedQueues::drain(const Exec& exec) {
  const Lock lock(mutex_);
  await(*mark(exec));
}

void EmulatedQueues::drain_all() {
  const Lock lock(mutex_);
  if (at_work_) return;  // Kokkos tells of kernels that come from a queue, too
  while (do_any()) {
  }
}

std::uint64_t EmulatedQueues::waiting() const {
  const Lock lock(mutex_);
  std::uint64_t count = 0;
  for (const Queue& queue : queues_)
    count += static_cast<std::uint64_t>(std::count_if(queue.entries.begin(), queue.entries.end(),
                                                      [](const Entry& entry) { return bool(entry.work); }));
  return count;
}

bool EmulatedQueues::chance(double probability) {
  return std::uniform_real_distribution<>()(random_) < probability;
}

/// The queues that can go on now, of those that have to before the mark is reached.
void EmulatedQueues::needed_for(const QueueMark& mark, std::set<const QueueMark*>& seen,
                                std::set<Queue*>& queues) const {
  if (mark.reached || !seen.insert(&mark).second) return;
  if (mark.queue->ready()) queues.insert(mark.queue);
  for (const Entry& entry : mark.queue->entries) {
    if (entry.mark.get() == &mark) return;
    if (entry.after) needed_for(*entry.after, seen, queues);
  }
}

void EmulatedQueues::do_some() {
  while (!at_work_ && chance(eagerness_) && do_any()) {
  }
}

/// False if there is nothing to do.
bool EmulatedQueues::do_any() {
  std::set<Queue*> ready;
  for (Queue& queue : queues_)
    if (queue.ready()) ready.insert(&queue);
  if (ready.empty()) return false;
  do_one_of(ready);
  return true;
}

void EmulatedQueues::do_one_of(const std::set<Queue*>& queues) {
  const auto before = [](const Queue* a, const Queue* b) { return a->priority < b->priority; };
  Queue& queue = **std::max_element(queues.begin(), queues.end(), before);
  const Entry entry = std::move(queue.entries.front());
  queue.entries.pop_front();
  if (entry.mark) {
    entry.mark->time = std::chrono::steady_clock::now();
    entry.mark->reached = true;
  }
  if (!entry.work) return;
  ++done_;
  if (earlier_work_waits(entry.number)) ++overtaking_;
  if (random_() % pieces_a_priority == 0) queue.priority = random_();
  at_work_ = true;
  entry.work();
  at_work_ = false;
}

bool EmulatedQueues::earlier_work_waits(std::uint64_t number) const {
  return std::any_of(queues_.begin(), queues_.end(), [&](const Queue& queue) {
    return std::any_of(queue.entries.begin(), queue.entries.end(),
                       [&](const Entry& entry) { return entry.work && entry.number < number; });
  });
}

}  // namespace haloheap::testing
