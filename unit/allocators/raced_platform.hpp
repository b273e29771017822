// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_RACED_PLATFORM_HPP
#define HALOHEAP_UNIT_ALLOCATORS_RACED_PLATFORM_HPP

#include <haloheap/backend/lanes.hpp>
#include <haloheap/core/lanes/ordered_atomics.hpp>

namespace haloheap::allocators {

/// Threads as warps of one lane, whose races ThreadSanitizer sees.
template <class AtomicsOfRace = lanes::OrderedAtomics<std::memory_order_seq_cst>>
struct RacedPlatform {
  using Lanes = backend::Lanes;
  using Atomics = AtomicsOfRace;
  static constexpr int warp_size = backend::warp_size;
  static std::uint32_t entropy() { return backend::entropy(); }
  static std::uint32_t home() { return backend::home(); }
  static std::uint32_t warp() { return backend::warp(); }
  static void pause() { backend::pause_lane(); }
};

}  // namespace haloheap::allocators

#endif
