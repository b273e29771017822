// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_ARRIVE_HPP
#define HALOHEAP_BACKEND_ARRIVE_HPP

#include <haloheap/backend/lanes.hpp>
#include <haloheap/backend/signal.hpp>
#include <haloheap/core/backend/arrive_together.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

namespace device {

struct SystemMemory {
  __device__ static void fence() { __threadfence_system(); }
  __device__ static unsigned fetch_add(unsigned* at, unsigned value) { return atomicAdd(at, value); }
};

}  // namespace device

/// Called once by each of `threads` threads of a kernel, when it has written what it writes. True for one of
/// those that come last: what all wrote is then visible to whoever sees a signal that this one posts. Counts
/// in `arrived`, which must be 0 before the kernel and must be made so again by that thread.
KOKKOS_INLINE_FUNCTION bool arrive_last(unsigned* arrived, unsigned threads) {
  KOKKOS_IF_ON_DEVICE((return arrive_together<device::SystemMemory>(Lanes::here(), arrived, threads);))
  KOKKOS_IF_ON_HOST((return Kokkos::atomic_fetch_add(arrived, 1U) + 1 == threads;))
}

}  // namespace haloheap::backend

#endif
