// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_WORK_PIECES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_WORK_PIECES_HPP

#include <haloheap/core/lanes/bits.hpp>

#include <cstdint>

/// What threads of work_generation write into their pieces, and how it is found again.
namespace haloheap::work_pieces {

/// Others at other places and of other threads, most probably.
KOKKOS_INLINE_FUNCTION std::uint32_t element(std::uint32_t thread, std::uint32_t place) {
  return lanes::bits::mix(thread + 1) + place;
}

KOKKOS_INLINE_FUNCTION void write(std::uint32_t* piece, std::uint32_t thread, std::uint32_t elements) {
  for (std::uint32_t k = 0; k < elements; ++k) piece[k] = element(thread, k);
}

/// Whether the piece is aligned and still holds all that its thread wrote. Every element is read.
KOKKOS_INLINE_FUNCTION bool is_right(const std::uint32_t* piece, std::uint32_t thread,
                                     std::uint32_t elements) {
  if (reinterpret_cast<std::uintptr_t>(piece) % sizeof(std::uint32_t) != 0) return false;
  std::uint32_t differences = 0;
  for (std::uint32_t k = 0; k < elements; ++k) differences |= piece[k] ^ element(thread, k);
  return differences == 0;
}

}  // namespace haloheap::work_pieces

#endif
