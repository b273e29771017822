// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_SIGNAL_HPP
#define HALOHEAP_BACKEND_SIGNAL_HPP

#include <haloheap/backend/clock.hpp>
#include <haloheap/core/backend/host_signal.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cuda/atomic>

/// Counters in memory that processes and devices of one node share; for kernels and for the host. On the host
/// they must stand in memory that it reaches.
namespace haloheap::backend {

/// Only grows. Each should have 128 bytes of its own: neighbours in a cache line slow each other down.
using Signal = std::uint64_t;

/// What this thread wrote, or saw through signals and barriers, is visible to whoever sees this value (or a
/// later one) on any device or process of the node.
KOKKOS_INLINE_FUNCTION void raise_signal(Signal* signal, Signal value) {
  KOKKOS_IF_ON_DEVICE((
      cuda::atomic_ref<Signal, cuda::thread_scope_system>(*signal).store(value, cuda::memory_order_release);))
  KOKKOS_IF_ON_HOST((host::raise_signal(signal, value);))
}

/// The same for a thread that has nothing of its own to make visible, or has called system_fence since: on a
/// device the fence that raise_signal implies costs about a microsecond.
KOKKOS_INLINE_FUNCTION void post_signal(Signal* signal, Signal value) {
  KOKKOS_IF_ON_DEVICE((
      cuda::atomic_ref<Signal, cuda::thread_scope_system>(*signal).store(value, cuda::memory_order_relaxed);))
  KOKKOS_IF_ON_HOST((host::raise_signal(signal, value);))
}

/// The value of now; the counterpart of raise_signal.
KOKKOS_INLINE_FUNCTION Signal read_signal(const Signal* signal) {
  KOKKOS_IF_ON_DEVICE(
      (return cuda::atomic_ref<Signal, cuda::thread_scope_system>(*const_cast<Signal*>(signal))
           .load(cuda::memory_order_acquire);))
  KOKKOS_IF_ON_HOST((return host::read_signal(signal);))
}

namespace device {

/// base::Deadline for kernels.
class Deadline {
 public:
  __device__ explicit Deadline(double seconds)
      : left_(static_cast<std::int64_t>(1e9 * (seconds < longest ? seconds : longest))),
        last_(nanoseconds()) {}

  __device__ bool passed() {
    const std::uint64_t time = nanoseconds();
    const auto turn = static_cast<std::int64_t>(time - last_);
    left_ -= turn < longest_turn ? turn : longest_turn;
    last_ = time;
    return left_ < 0;
  }

 private:
  static constexpr std::int64_t longest_turn = 100'000'000;
  static constexpr double longest = 1e9;  // seconds: fits

  std::int64_t left_;
  std::uint64_t last_;
};

__device__ inline bool await_signal(const Signal* signal, Signal value, double seconds, const int* given_up) {
  constexpr unsigned busy_turns = 32;    // then the polls leave the links to others
  constexpr unsigned turns_a_look = 16;  // the flag may be far away
  Deadline deadline(seconds);
  for (unsigned turn = 0; read_signal(signal) < value; ++turn) {
    if (turn >= busy_turns) __nanosleep(turn < 10 * busy_turns ? 20 : 100);
    if (turn % turns_a_look != 0) continue;
    if (given_up != nullptr && cuda::atomic_ref<int, cuda::thread_scope_system>(*const_cast<int*>(given_up))
                                       .load(cuda::memory_order_relaxed) != 0)
      return false;
    if (deadline.passed()) return false;
  }
  return true;
}

}  // namespace device

/// Spins until *signal >= value. False after `seconds` (see Deadline) or once *given_up, which may be null,
/// is not zero.
KOKKOS_INLINE_FUNCTION bool await_signal(const Signal* signal, Signal value, double seconds,
                                         const int* given_up) {
  KOKKOS_IF_ON_DEVICE((return device::await_signal(signal, value, seconds, given_up);))
  KOKKOS_IF_ON_HOST((return host::await_signal(signal, value, seconds, given_up);))
}

/// Orders what this thread writes before and after, for all devices and processes of the node.
KOKKOS_INLINE_FUNCTION void system_fence() {
  KOKKOS_IF_ON_DEVICE((__threadfence_system();))
  KOKKOS_IF_ON_HOST((host::system_fence();))
}

}  // namespace haloheap::backend

#endif
