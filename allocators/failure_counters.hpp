// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_FAILURE_COUNTERS_HPP
#define HALOHEAP_ALLOCATORS_FAILURE_COUNTERS_HPP

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <numeric>
#include <span>

namespace haloheap::allocators {

/// Counts requests that got nothing. When a heap is full, all lanes come here at once: they are spread over
/// many counters, each with a memory sector of its own.
template <class Platform>
class FailureCounters {
 public:
  static constexpr unsigned counters = 64;
  static constexpr unsigned stride = 4;
  static constexpr unsigned words = counters * stride;  ///< of memory, which must start out as zeros

  KOKKOS_FUNCTION explicit FailureCounters(std::uint64_t* memory) : memory_(memory) {}

  KOKKOS_FUNCTION void add(std::uint32_t random, unsigned failures = 1) const {
    Platform::Atomics::add(&memory_[random % counters * stride], std::uint64_t{failures});
  }

  /// Of the memory, on the host.
  static std::uint64_t sum(std::span<const std::uint64_t> memory) {
    return std::accumulate(memory.begin(), memory.begin() + words, std::uint64_t{0});
  }

 private:
  std::uint64_t* memory_;
};

}  // namespace haloheap::allocators

#endif
