// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_REQUEST_SIZES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_REQUEST_SIZES_HPP

#include <haloheap/core/lanes/bits.hpp>

#include <cstdint>

namespace haloheap {

/// Bytes that kernels ask for: all alike, or uniform from the smallest to the largest. The same key gives
/// the same size.
struct RequestSizes {
  std::uint32_t smallest = 0, largest = 0;  ///< largest is not less, and not 2^32 - 1
  std::uint32_t seed = 0;

  KOKKOS_FUNCTION std::uint32_t of(std::uint32_t key) const {
    if (largest == smallest) return smallest;
    const std::uint64_t range = std::uint64_t{largest - smallest} + 1;
    return smallest +
           static_cast<std::uint32_t>(lanes::bits::mix(lanes::bits::mix(seed) + key) * range >> 32);
  }
};

}  // namespace haloheap

#endif
