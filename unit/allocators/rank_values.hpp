// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_RANK_VALUES_HPP
#define HALOHEAP_UNIT_ALLOCATORS_RANK_VALUES_HPP

#include <haloheap/allocators/ranks/collectives.hpp>

// What ranks send each other, and what they should get.
namespace haloheap::allocators {

inline constexpr Collective collectives[] = {Collective::reduce, Collective::broadcast, Collective::alltoall};

/// What rank `source` has for rank `target`, at place i: exact, and so are sums over the ranks.
template <class T>
KOKKOS_FUNCTION T value(unsigned source, unsigned target, unsigned i) {
  return static_cast<T>(1000 * source + 10 * target + i);
}

template <class T>
T expected(Collective operation, unsigned count, unsigned rank, unsigned part, unsigned i) {
  if (operation == Collective::broadcast) return value<T>(0, 0, i);
  if (operation == Collective::alltoall) return value<T>(part, rank, i);
  return static_cast<T>(500 * count * (count - 1) + i * count);
}

inline constexpr unsigned length = 3;

}  // namespace haloheap::allocators

#endif
