// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_ARRIVE_HPP
#define HALOHEAP_CORE_BACKEND_ARRIVE_HPP

#include <haloheap/backend/lanes.hpp>
#include <haloheap/backend/signal.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

/// Called once by each of `threads` threads of a kernel, when it has written what it writes. True for one of
/// those that come last: what all wrote is then visible to whoever sees a signal that this one posts. Counts
/// in `arrived`, which must be 0 before the kernel and must be made so again by that thread.
KOKKOS_INLINE_FUNCTION bool arrive_last(unsigned* arrived, unsigned threads) {
  KOKKOS_IF_ON_DEVICE((
      // Whichever lanes are together: the first of them counts for all.
      const Lanes lanes = Lanes::here(); if ((lanes.mask() & ((1U << lanes.lane()) - 1)) != 0) return false;
      const unsigned size = __popc(lanes.mask()); __threadfence_system();
      const unsigned before = atomicAdd(arrived, size); __threadfence_system();
      return before + size == threads;))
  KOKKOS_IF_ON_HOST((return Kokkos::atomic_fetch_add(arrived, 1U) + 1 == threads;))
}

}  // namespace haloheap::backend

#endif
