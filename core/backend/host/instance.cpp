// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/host/queues.hpp>
#include <haloheap/core/backend/instance.hpp>

#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstring>

namespace haloheap::backend {

struct Instance::Impl {
  Exec exec;
};

Instance::Instance(Priority) : impl_(std::make_unique<Impl>()) {
  if (host::Queues* const queues = host::queues(); queues != nullptr) impl_->exec = queues->make();
}
Instance::Instance(Priority priority, int device) : Instance(priority) {
  require_device(device);
}
Instance::~Instance() = default;
const Exec& Instance::exec() const {
  return impl_->exec;
}

struct Event::Impl {
  Timing timing;
  std::chrono::steady_clock::time_point recorded;
  std::shared_ptr<const host::Mark> mark;  // where there are queues

  auto time() const { return mark ? mark->time : recorded; }
};

Event::Event(Timing timing) : impl_(std::make_unique<Impl>(Impl{timing, {}, {}})) {}
Event::~Event() = default;
Event::Event(Event&&) noexcept = default;
Event& Event::operator=(Event&&) noexcept = default;

void Event::record(const Exec& exec) {
  if (host::Queues* const queues = host::queues(); queues != nullptr) {
    impl_->mark = queues->mark(exec);
  } else {
    impl_->mark.reset();
    if (impl_->timing == Timing::on) impl_->recorded = std::chrono::steady_clock::now();
  }
}
bool Event::ready() const {
  host::Queues* const queues = host::queues();
  return queues == nullptr || !impl_->mark || queues->reached(*impl_->mark);
}
void Event::wait_on_host() const {
  if (host::Queues* const queues = host::queues(); queues != nullptr && impl_->mark)
    queues->await(*impl_->mark);
}
void Event::wait_on(const Exec& exec) const {
  if (host::Queues* const queues = host::queues(); queues != nullptr && impl_->mark)
    queues->order(exec, impl_->mark);
}

double seconds_between(const Event& begin, const Event& end) {
  return std::chrono::duration<double>(end.impl_->time() - begin.impl_->time()).count();
}

void copy_async(const Exec& exec, void* to, const void* from, std::size_t bytes) {
  host::enqueue(exec, [=] { std::memcpy(to, from, bytes); });
}

}  // namespace haloheap::backend
