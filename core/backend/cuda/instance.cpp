// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/instance.hpp>

#include <optional>

namespace haloheap::backend {

struct Instance::Impl {
  cudaStream_t stream = nullptr;
  std::optional<Exec> exec;
};

Instance::Instance(Priority priority) : impl_(std::make_unique<Impl>()) {
  int lowest = 0, highest = 0;
  check(cudaDeviceGetStreamPriorityRange(&lowest, &highest), "cudaDeviceGetStreamPriorityRange");
  check(cudaStreamCreateWithPriority(&impl_->stream, cudaStreamNonBlocking,
                                     priority == Priority::high ? highest : lowest),
        "cudaStreamCreateWithPriority");
  impl_->exec.emplace(impl_->stream);
}

Instance::~Instance() {
  impl_->exec.reset();  // Kokkos looks at the stream once more
  cudaStreamDestroy(impl_->stream);
}

const Exec& Instance::exec() const {
  return *impl_->exec;
}

struct Event::Impl {
  cudaEvent_t event = nullptr;

  explicit Impl(Timing timing) {
    check(cudaEventCreateWithFlags(&event, timing == Timing::on ? cudaEventDefault : cudaEventDisableTiming),
          "cudaEventCreateWithFlags");
  }
  ~Impl() { cudaEventDestroy(event); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
};

Event::Event(Timing timing) : impl_(std::make_unique<Impl>(timing)) {}
Event::~Event() = default;
Event::Event(Event&&) noexcept = default;
Event& Event::operator=(Event&&) noexcept = default;

void Event::record(const Exec& exec) {
  check(cudaEventRecord(impl_->event, exec.cuda_stream()), "cudaEventRecord");
}

bool Event::ready() const {
  const cudaError_t status = cudaEventQuery(impl_->event);
  if (status == cudaErrorNotReady) return false;
  check(status, "cudaEventQuery");
  return true;
}

void Event::wait_on_host() const {
  check(cudaEventSynchronize(impl_->event), "cudaEventSynchronize");
}

void Event::wait_on(const Exec& exec) const {
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
