// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_SIGNAL_HPP
#define HALOHEAP_BACKEND_SIGNAL_HPP

#include <haloheap/core/backend/host_signal.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Counters in memory that processes and devices of one node share; for kernels and for the host.
namespace haloheap::backend {

/// Only grows. Each should have 128 bytes of its own: neighbours in a cache line slow each other down.
using Signal = std::uint64_t;

/// What this thread wrote, or saw through signals and barriers, is visible to whoever sees this value (or a
/// later one) on any device or process of the node.
KOKKOS_INLINE_FUNCTION void raise_signal(Signal* signal, Signal value) {
  host::raise_signal(signal, value);
}

/// The same for a thread that has nothing of its own to make visible, or has called system_fence since: on a
/// device the fence that raise_signal implies costs about a microsecond.
KOKKOS_INLINE_FUNCTION void post_signal(Signal* signal, Signal value) {
  host::raise_signal(signal, value);
}

/// The value of now; the counterpart of raise_signal.
KOKKOS_INLINE_FUNCTION Signal read_signal(const Signal* signal) {
  return host::read_signal(signal);
}

/// Spins until *signal >= value. False after `seconds` (see Deadline) or once *given_up, which may be null,
/// is not zero.
KOKKOS_INLINE_FUNCTION bool await_signal(const Signal* signal, Signal value, double seconds,
                                         const int* given_up) {
  return host::await_signal(signal, value, seconds, given_up);
}

/// Orders what this thread writes before and after, for all devices and processes of the node.
KOKKOS_INLINE_FUNCTION void system_fence() {
  host::system_fence();
}

}  // namespace haloheap::backend

#endif
