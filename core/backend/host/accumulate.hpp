// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_ACCUMULATE_HPP
#define HALOHEAP_BACKEND_ACCUMULATE_HPP

#include <haloheap/backend/atomics.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

/// Adds `values` to the `Count` doubles at `at`, atomically one by one. On a device the values of the lanes
/// that get here together are summed first and go to the `at` of one of them: fit for sums that are spread
/// over several places and whose order does not matter.
template <int Count>
KOKKOS_INLINE_FUNCTION void accumulate(double* at, const double (&values)[Count]) {
  for (int n = 0; n < Count; ++n)
    if (values[n] != 0) Kokkos::atomic_add(at + n, values[n]);
}

/// Raises `at` to the largest of the values, likewise.
KOKKOS_INLINE_FUNCTION void accumulate_max(unsigned long long* at, unsigned long long value) {
  // Most find a larger one there.
  if (value > load_relaxed(at)) Kokkos::atomic_max(at, value);
}

}  // namespace haloheap::backend

#endif
