// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_FLAGS_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_FLAGS_HPP

#include <haloheap/core/lanes/bits.hpp>

namespace haloheap::allocators::detail {

/// A word for each page, 1 while somebody has the page: the mutex lock of each page of [Pham2022]. For
/// looking at many pages, a chunk is as many as share a memory sector.
template <class Platform>
struct PageFlags {
  using Atomics = typename Platform::Atomics;
  static constexpr unsigned chunk_pages = 8;

  std::uint32_t* flags;
  std::uint32_t pages;

  /// Whether the page was free and is now the caller's.
  KOKKOS_FUNCTION bool take(std::uint32_t page) const {
    return Atomics::load(&flags[page]) == 0 && Atomics::exchange(&flags[page], 1U) == 0;
  }
  KOKKOS_FUNCTION void release(std::uint32_t page) const { Atomics::store(&flags[page], 0U); }

  KOKKOS_FUNCTION std::uint32_t chunks() const { return (pages + chunk_pages - 1) / chunk_pages; }
  /// The chunk's free pages, a bit each.
  KOKKOS_FUNCTION std::uint64_t free(std::uint32_t chunk) const {
    std::uint64_t result = 0;
    for (unsigned i = 0; i < chunk_pages; ++i) {
      const std::uint32_t page = chunk * chunk_pages + i;
      if (page < pages && Atomics::load(&flags[page]) == 0) result |= std::uint64_t{1} << i;
    }
    return result;
  }
  /// Those of the chunk's pages that were free and are now the caller's.
  KOKKOS_FUNCTION std::uint64_t take(std::uint32_t chunk, std::uint64_t wanted) const {
    std::uint64_t got = 0;
    for (; wanted != 0; wanted &= wanted - 1)
      if (take(chunk * chunk_pages + lanes::bits::lowest(wanted))) got |= wanted & (~wanted + 1);
    return got;
  }
};

}  // namespace haloheap::allocators::detail

#endif
