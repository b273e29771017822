// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_ACCUMULATE_HPP
#define HALOHEAP_BACKEND_ACCUMULATE_HPP

#include <haloheap/backend/atomics.hpp>
#include <haloheap/backend/lanes.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

/// Adds `values` to the `Count` doubles at `at`, atomically one by one. On a device the values of a whole
/// warp that gets here together are summed first and go to the `at` of its first lane: fit for sums that are
/// spread over several places and whose order does not matter.
template <int Count>
KOKKOS_INLINE_FUNCTION void accumulate(double* at, const double (&values)[Count]) {
  KOKKOS_IF_ON_DEVICE((const Lanes lanes = Lanes::here(); const bool whole = lanes.mask() == ~0U;
                       for (int n = 0; n < Count; ++n) {
                         double sum = values[n];
                         if (whole)
                           for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
                             sum += __shfl_xor_sync(~0U, sum, distance);
                         if ((!whole || lanes.lane() == 0) && sum != 0) atomicAdd(at + n, sum);
                       }))
  KOKKOS_IF_ON_HOST((for (int n = 0; n < Count; ++n) Kokkos::atomic_add(at + n, values[n]);))
}

namespace detail {

__device__ inline void raise_together(unsigned long long* at, unsigned long long value) {
  const Lanes lanes = Lanes::here();
  if (lanes.mask() == ~0U) {
    for (unsigned distance = warp_size / 2; distance > 0; distance /= 2)
      value = Kokkos::max(value, __shfl_xor_sync(~0U, value, distance));
    if (lanes.lane() != 0) return;
  }
  if (value > load_relaxed(at)) atomicMax(at, value);  // most find a larger one there
}

}  // namespace detail

/// Raises `at` to the largest of the values, likewise.
KOKKOS_INLINE_FUNCTION void accumulate_max(unsigned long long* at, unsigned long long value) {
  KOKKOS_IF_ON_DEVICE((detail::raise_together(at, value);))
  KOKKOS_IF_ON_HOST((Kokkos::atomic_max(at, value);))
}

}  // namespace haloheap::backend

#endif
