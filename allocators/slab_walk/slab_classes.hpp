// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_CLASSES_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_CLASSES_HPP

#include <haloheap/core/lanes/bits.hpp>

#include <cstddef>
#include <cstdint>

/// The sizes of slots: every multiple of 16 bytes up to 512, then 32 an octave, so that rounding up to a size
/// class wastes at most 3 % beyond the 16 bytes of alignment.
namespace haloheap::allocators::detail::slab_classes {

inline constexpr unsigned steps = 32;             // an octave
inline constexpr unsigned first_octave = 9;       // 512 bytes
inline constexpr std::uint32_t granularity = 16;  // bytes

/// The class of a request of 1 to 2^31 bytes.
KOKKOS_INLINE_FUNCTION unsigned of(std::uint32_t bytes) {
  const std::uint32_t last = bytes - 1;
  if (bytes <= granularity * steps) return last / granularity;
  const unsigned octave = lanes::bits::highest(last);
  return (octave - first_octave + 1) * steps + (last >> (octave - 5) & (steps - 1));
}

/// Bytes of a slot of the class.
KOKKOS_INLINE_FUNCTION std::uint32_t size(unsigned number) {
  if (number < steps) return (number + 1) * granularity;
  const unsigned octave = first_octave - 1 + number / steps;
  return (steps + number % steps + 1) << (octave - 5);
}

}  // namespace haloheap::allocators::detail::slab_classes

#endif
