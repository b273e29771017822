// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_HOST_SIGNAL_HPP
#define HALOHEAP_CORE_BACKEND_HOST_SIGNAL_HPP

#include <haloheap/core/base/deadline.hpp>

#include <atomic>
#include <cstdint>

/// Signals as the host sees them: the same for every backend. See the backend's signal.hpp.
namespace haloheap::backend::host {

inline void raise_signal(std::uint64_t* signal, std::uint64_t value) {
  std::atomic_ref(*signal).store(value, std::memory_order_release);
}

inline std::uint64_t read_signal(const std::uint64_t* signal) {
  // An atomic_ref to const comes with a later standard.
  return std::atomic_ref(*const_cast<std::uint64_t*>(signal)).load(std::memory_order_acquire);
}

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

inline bool await_signal(const std::uint64_t* signal, std::uint64_t value, double seconds,
                         const int* given_up) {
  constexpr int busy_turns = 1000;   // some microseconds; then others may need the core
  constexpr int turns_a_pause = 64;  // virtual machines may take many pauses in a row for idleness
  base::Deadline deadline(seconds);
  for (int turn = 0; read_signal(signal) < value; turn += turn < busy_turns) {
    if (given_up != nullptr &&
        std::atomic_ref(*const_cast<int*>(given_up)).load(std::memory_order_relaxed) != 0)
      return false;
    if (deadline.passed()) return false;
    if (turn < busy_turns) {
      if (turn % turns_a_pause == 0) pause();
    } else {
      deadline.rest();
    }
  }
  return true;
}

/// Not an atomic_thread_fence, of which the thread sanitizer warns.
inline void system_fence() {
  __sync_synchronize();
}

}  // namespace haloheap::backend::host

#endif
