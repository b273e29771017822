// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_SUPERBLOCK_COUNTER_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_SUPERBLOCK_COUNTER_HPP

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace haloheap::allocators::detail {

/// How many parts of a superblock are not given back. It stands at the superblock's first byte.
///
/// Invariants, from start(n) until the superblock is given back:
///   - the count is the number of parts for which release() has not been called; it only falls;
///   - of n calls of release(), one gets true, and it is the last one: nobody looks at the superblock, or
///     writes to a part of it, after that. So whoever gets true may give the superblock back;
///   - what was done with any part comes before what is done after the call that got true.
/// start() must come before any release() in the order of the lanes: sync, or a team's barrier.
template <class Platform>
class SuperblockCounter {
  using Atomics = typename Platform::Atomics;

 public:
  using Count = std::uint32_t;

  KOKKOS_FUNCTION void start(Count parts) { Atomics::store(&left_, parts); }

  /// A part is given back; true if it was the last.
  KOKKOS_FUNCTION bool release() {
    Atomics::fence();  // what was done with this part comes before its end
    if (Atomics::fetch_add(&left_, ~Count{0}) != 1) return false;
    Atomics::fence();  // and all that was done with the others before what comes now
    return true;
  }

 private:
  Count left_;
};

}  // namespace haloheap::allocators::detail

#endif
