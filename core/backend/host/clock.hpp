// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_CLOCK_HPP
#define HALOHEAP_BACKEND_CLOCK_HPP

#include <chrono>
#include <cstdint>

namespace haloheap::backend {

/// A clock that all threads share, for kernels.
inline std::uint64_t nanoseconds() {
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

/// The fastest clock that a kernel has: here the same.
inline std::uint64_t ticks() {
  return nanoseconds();
}

}  // namespace haloheap::backend

#endif
