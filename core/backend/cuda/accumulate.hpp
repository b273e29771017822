// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_ACCUMULATE_HPP
#define HALOHEAP_CORE_BACKEND_ACCUMULATE_HPP

#include <Kokkos_Core.hpp>

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace haloheap::backend {

/// Adds `values` to the `Count` doubles at `at`, atomically one by one. On a device the values of the lanes
/// that get here together are summed first and go to the `at` of one of them: fit for sums that are spread
/// over several places and whose order does not matter.
template <int Count>
KOKKOS_INLINE_FUNCTION void accumulate(double* at, const double (&values)[Count]) {
  KOKKOS_IF_ON_DEVICE((namespace groups = cooperative_groups; const auto lanes = groups::coalesced_threads();
                       for (int n = 0; n < Count; ++n) {
                         const double sum = groups::reduce(lanes, values[n], groups::plus<double>());
                         if (lanes.thread_rank() == 0 && sum != 0) atomicAdd(at + n, sum);
                       }))
  KOKKOS_IF_ON_HOST((for (int n = 0; n < Count; ++n) Kokkos::atomic_add(at + n, values[n]);))
}

}  // namespace haloheap::backend

#endif
