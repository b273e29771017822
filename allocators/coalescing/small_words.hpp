// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_SMALL_WORDS_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_SMALL_WORDS_HPP

#include <Kokkos_Core.hpp>

#include <cstdint>

/// Operations on words of 16 bits that stand at multiples of 4. Devices have none of their own, and Kokkos
/// takes a lock where it has none. There, the word of 32 bits that begins at the same place does (its lower
/// half, devices being little endian): `or` leaves the other half as it is.
namespace haloheap::allocators::detail::small_words {

KOKKOS_INLINE_FUNCTION std::uint32_t* widened(std::uint16_t* word) {
  return reinterpret_cast<std::uint32_t*>(word);
}

template <class Atomics>
KOKKOS_FUNCTION std::uint16_t fetch_or(std::uint16_t* word, std::uint16_t bits) {
  KOKKOS_IF_ON_DEVICE(
      (return static_cast<std::uint16_t>(Atomics::fetch_or(widened(word), std::uint32_t{bits}));))
  KOKKOS_IF_ON_HOST((return Atomics::fetch_or(word, bits);))
}

template <class Atomics>
KOKKOS_FUNCTION std::uint16_t load(std::uint16_t* word) {
  KOKKOS_IF_ON_DEVICE((return static_cast<std::uint16_t>(Atomics::load(widened(word)));))
  KOKKOS_IF_ON_HOST((return Atomics::load(word);))
}

/// Before anybody uses the word, or the two bytes behind it, which may change.
template <class Atomics>
KOKKOS_FUNCTION void start(std::uint16_t* word, std::uint16_t value) {
  KOKKOS_IF_ON_DEVICE((Atomics::store(widened(word), std::uint32_t{value});))
  KOKKOS_IF_ON_HOST((Atomics::store(word, value);))
}

}  // namespace haloheap::allocators::detail::small_words

#endif
