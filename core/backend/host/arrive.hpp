// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_ARRIVE_HPP
#define HALOHEAP_BACKEND_ARRIVE_HPP

#include <haloheap/backend/signal.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

/// Called once by each of `threads` threads of a kernel, when it has written what it writes. True for one of
/// those that come last: what all wrote is then visible to whoever sees a signal that this one posts. Counts
/// in `arrived`, which must be 0 before the kernel and must be made so again by that thread.
inline bool arrive_last(unsigned* arrived, unsigned threads) {
  system_fence();
  const bool last = Kokkos::atomic_fetch_add(arrived, 1U) + 1 == threads;
  system_fence();
  return last;
}

}  // namespace haloheap::backend

#endif
