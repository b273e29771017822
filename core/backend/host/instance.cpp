// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/instance.hpp>

#include <chrono>
#include <cstring>

namespace haloheap::backend {

struct Instance::Impl {
  Exec exec;
};

Instance::Instance(Priority) : impl_(std::make_unique<Impl>()) {}
Instance::Instance(Priority priority, int device) : Instance(priority) {
  require_device(device);
}
Instance::~Instance() = default;
const Exec& Instance::exec() const {
  return impl_->exec;
}

struct Event::Impl {
  std::chrono::steady_clock::time_point time;
};

Event::Event(Timing) : impl_(std::make_unique<Impl>()) {}
Event::~Event() = default;
Event::Event(Event&&) noexcept = default;
Event& Event::operator=(Event&&) noexcept = default;

void Event::record(const Exec&) {
  impl_->time = std::chrono::steady_clock::now();
}
bool Event::ready() const {
  return true;
}
void Event::wait_on_host() const {}
void Event::wait_on(const Exec&) const {}

double seconds_between(const Event& begin, const Event& end) {
  return std::chrono::duration<double>(end.impl_->time - begin.impl_->time).count();
}

void copy_async(const Exec&, void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

}  // namespace haloheap::backend
