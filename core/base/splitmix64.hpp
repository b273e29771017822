// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_SPLITMIX64_HPP
#define HALOHEAP_CORE_BASE_SPLITMIX64_HPP

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace haloheap::base {

/// The next number of a generator that stands at `state`: SplitMix64 ([Steele2014]), the same on
/// every machine.
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t splitmix64(std::uint64_t state) {
  state += 0x9e3779b97f4a7c15ULL;
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ULL;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebULL;
  return state ^ (state >> 31);
}

}  // namespace haloheap::base

#endif
