// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_LANES_RANDOM_HPP
#define HALOHEAP_CORE_LANES_RANDOM_HPP

#include <haloheap/core/lanes/bits.hpp>

namespace haloheap::lanes {

/// Random numbers of one lane. Lanes with the same entropy have streams of their own: each number is a mixed
/// count (Steele, Lea and Flood, "Fast splittable pseudorandom number generators"), and where a lane's count
/// starts is mixed twice, so that neighbours do not follow one another.
class LaneRandom {
 public:
  KOKKOS_FUNCTION LaneRandom(std::uint32_t entropy, unsigned lane)
      : count_(bits::mix(bits::mix(entropy) + lane * 0x85ebca6bU)) {}

  KOKKOS_FUNCTION std::uint32_t operator()() {
    count_ += 0x9e3779b9U;
    return bits::mix(count_);
  }

  /// From 0 to n - 1.
  KOKKOS_FUNCTION std::uint32_t below(std::uint32_t n) {
    return static_cast<std::uint32_t>(std::uint64_t{(*this)()} * n >> 32);
  }

 private:
  std::uint32_t count_;
};

}  // namespace haloheap::lanes

#endif
