// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/allocators/native/native.hpp>
#include <haloheap/core/backend/kernel_heap.hpp>

namespace haloheap::allocators {

using Failures = FailureCounters<lanes::Platform>;

Native::Native(const Exec& exec, HeapConfig config)
    : config_(std::move(config)),
      failures_(config_.resource(), config_.label + "_failures", Failures::words) {
  backend::reserve_kernel_heap(config_.bytes);
  reset(exec);
}

void Native::reset(const Exec& exec) {
  Kokkos::deep_copy(exec, failures_.view(), std::uint64_t{0});
}

HeapStatistics Native::statistics(const Exec& exec) const {
  return {.capacity = config_.bytes,
          .metadata = Failures::words * sizeof(std::uint64_t),
          .failures = Failures::sum(fetch(exec, failures_.view().data(), Failures::words))};
}

Promises Native::promises(const HeapConfig& config) {
  return {.largest = config.bytes / 2, .copyable = backend::kernel_heap_is_copyable(), .resets = false};
}

}  // namespace haloheap::allocators
