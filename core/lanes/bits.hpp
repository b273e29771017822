// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_LANES_BITS_HPP
#define HALOHEAP_CORE_LANES_BITS_HPP

#include <Kokkos_BitManipulation.hpp>

#include <concepts>
#include <cstdint>

/// Bits of words, for kernels and the host. Kokkos' bit functions that run on devices are used where it has
/// them.
namespace haloheap::lanes::bits {

template <std::unsigned_integral T>
KOKKOS_INLINE_FUNCTION int count(T word) {
  return Kokkos::Experimental::popcount_builtin(word);
}

/// The number of the lowest bit that is set; `word` must not be 0.
template <std::unsigned_integral T>
KOKKOS_INLINE_FUNCTION unsigned lowest(T word) {
  return static_cast<unsigned>(Kokkos::Experimental::countr_zero_builtin(word));
}

/// The number of the highest bit that is set; `word` must not be 0.
template <std::unsigned_integral T>
KOKKOS_INLINE_FUNCTION unsigned highest(T word) {
  return static_cast<unsigned>(8 * sizeof(T) - 1) -
         static_cast<unsigned>(Kokkos::Experimental::countl_zero_builtin(word));
}

/// The lowest n bits; n from 0 to the number of bits.
template <std::unsigned_integral T>
KOKKOS_INLINE_FUNCTION T low(unsigned n) {
  return n >= 8 * sizeof(T) ? ~T{0} : static_cast<T>((T{1} << n) - 1);
}

/// The lowest n of the bits that are set, or all of them if they are fewer.
KOKKOS_INLINE_FUNCTION std::uint64_t lowest_few(std::uint64_t word, unsigned n) {
  std::uint64_t rest = word;
  for (unsigned i = 0; i < n && rest != 0; ++i) rest &= rest - 1;
  return word ^ rest;
}

/// The number of a bit that is set: the first one from bit `start` on, around the end. `word` must not be 0.
KOKKOS_INLINE_FUNCTION unsigned pick(std::uint64_t word, unsigned start) {
  const unsigned shift = start & 63U;
  const std::uint64_t rotated = word >> shift | word << ((64 - shift) & 63U);
  return (lowest(rotated) + shift) & 63U;
}

/// A number in which every bit depends on every bit of `x` (the constants are Chris Wellons' "lowbias32").
KOKKOS_INLINE_FUNCTION std::uint32_t mix(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ x >> 16;
}

}  // namespace haloheap::lanes::bits

#endif
