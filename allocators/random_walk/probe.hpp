// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_PROBE_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_PROBE_HPP

#include <haloheap/core/lanes/random.hpp>

namespace haloheap::allocators::detail {

/// The pages that one step sees. [Pham2022] reads words of 32 or 64 bits; here memory is always read by 64,
/// and a step of 32 leaves the other half alone, so that one program does both.
struct Probe {
  std::uint32_t number;  ///< of the word of `word_bits` bits
  std::uint32_t word;    ///< of 64 bits
  std::uint64_t bits;    ///< of that word
};

/// Any word of `word_bits` (32 or 64) bits, with equal chances.
KOKKOS_INLINE_FUNCTION Probe random_probe(lanes::LaneRandom& random, std::uint32_t pages,
                                          unsigned word_bits) {
  const std::uint32_t number = random.below((pages + word_bits - 1) / word_bits);
  if (word_bits == 64) return {number, number, ~std::uint64_t{0}};
  return {number, number / 2, std::uint64_t{0xffffffff} << (number % 2 * 32)};
}

}  // namespace haloheap::allocators::detail

#endif
