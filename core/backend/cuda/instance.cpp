// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/cuda/device_guard.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/backend/memory.hpp>

#include <Kokkos_Core.hpp>

#include <optional>

namespace haloheap::backend {

struct Instance::Impl {
  cudaStream_t stream = nullptr;
  std::optional<Exec> exec;
};

Instance::Instance(Priority priority) : Instance(priority, current_device()) {}

Instance::Instance(Priority priority, int device) : impl_(std::make_unique<Impl>()) {
  require_device(device);
  const DeviceGuard guard(device);
  int lowest = 0, highest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
  check(cudaStreamCreateWithPriority(&impl_->stream, cudaStreamNonBlocking,
                                     priority == Priority::high ? highest : lowest),
        "cudaStreamCreateWithPriority");
  impl_->exec.emplace(impl_->stream);  // Kokkos asks the stream for its device
}

Instance::~Instance() {
  const DeviceGuard guard(impl_->exec->cuda_device());  // Kokkos makes it current, and would leave it so
  impl_->exec.reset();                                  // Kokkos looks at the stream once more
  cudaStreamDestroy(impl_->stream);
}

const Exec& Instance::exec() const {
  return *impl_->exec;
}

/// CUDA records an event on streams of the event's own device only, and which that is shows at the first
/// record. Streams of all devices can wait for it.
struct Event::Impl {
  Timing timing;
  int device = -1;
  cudaEvent_t event = nullptr;

  explicit Impl(Timing asked) : timing(asked) {}
  ~Impl() { destroy(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void destroy() {
    if (event != nullptr) cudaEventDestroy(event);
  }

  void move_to(int other) {
    const DeviceGuard guard(other);
    cudaEvent_t there = nullptr;
    check(cudaEventCreateWithFlags(&there, timing == Timing::on ? cudaEventDefault : cudaEventDisableTiming),
          "cudaEventCreateWithFlags");
    destroy();  // what waits for it goes on to
    event = there;
    device = other;
  }
};

Event::Event(Timing timing) : impl_(std::make_unique<Impl>(timing)) {}
Event::~Event() = default;
Event::Event(Event&&) noexcept = default;
Event& Event::operator=(Event&&) noexcept = default;

void Event::record(const Exec& exec) {
  if (const int device = exec.cuda_device(); device != impl_->device) impl_->move_to(device);
  check(cudaEventRecord(impl_->event, exec.cuda_stream()), "cudaEventRecord");
}

bool Event::ready() const {
  if (impl_->event == nullptr) return true;
  const cudaError_t status = cudaEventQuery(impl_->event);
  if (status == cudaErrorNotReady) return false;
  check(status, "cudaEventQuery");
  return true;
}

void Event::wait_on_host() const {
  if (impl_->event != nullptr) check(cudaEventSynchronize(impl_->event), "cudaEventSynchronize");
}

void Event::wait_on(const Exec& exec) const {
  if (impl_->event == nullptr) return;
  check(cudaStreamWaitEvent(exec.cuda_stream(), impl_->event, 0), "cudaStreamWaitEvent");
}

double seconds_between(const Event& begin, const Event& end) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.impl_->event, end.impl_->event), "cudaEventElapsedTime");
  return 1e-3 * milliseconds;
}

void copy_async(const Exec& exec, void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, exec.cuda_stream()), "cudaMemcpyAsync");
}

}  // namespace haloheap::backend
