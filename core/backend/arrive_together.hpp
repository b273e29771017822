// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_ARRIVE_TOGETHER_HPP
#define HALOHEAP_CORE_BACKEND_ARRIVE_TOGETHER_HPP

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

/// arrive_last() of backends with warps: of the lanes that are together the first one counts for all.
/// Memory::fence() orders what a lane did, or saw through a barrier of its warp, for all that the caller's
/// data are for; Memory::fetch_add() counts.
template <class Memory, class Lanes>
KOKKOS_FUNCTION bool arrive_together(const Lanes& lanes, unsigned* arrived, unsigned threads) {
  lanes.sync();  // the others' stores come before the fence of the first
  if ((lanes.mask() & ((1U << lanes.lane()) - 1)) != 0) return false;
  const auto size = static_cast<unsigned>(Kokkos::Experimental::popcount_builtin(lanes.mask()));
  Memory::fence();
  const unsigned before = Memory::fetch_add(arrived, size);
  Memory::fence();
  return before + size == threads;
}

}  // namespace haloheap::backend

#endif
