// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_POOL_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_POOL_HPP

#include <haloheap/allocators/failure_counters.hpp>
#include <haloheap/allocators/random_walk/full_sign.hpp>

#include <cstddef>

namespace haloheap::allocators::detail {

/// The pages of a pool, and the metadata that have nothing to do with how a free one is found.
template <class Platform>
struct PagePool {
  using Word = std::uint64_t;
  static constexpr std::uint32_t none = ~0U;
  /// Words of `metadata`: the sign, with a memory sector of its own, and the failures.
  static constexpr unsigned metadata_words = 4 + FailureCounters<Platform>::words;

  std::byte* data;
  Word* metadata;
  std::uint32_t pages;
  unsigned page_shift;  ///< log2 of a page's bytes

  KOKKOS_FUNCTION std::uint32_t page_bytes() const { return std::uint32_t{1} << page_shift; }
  KOKKOS_FUNCTION std::byte* address(std::uint32_t page) const {
    return data + (static_cast<std::size_t>(page) << page_shift);
  }
  KOKKOS_FUNCTION std::uint32_t page_of(const void* pointer) const {
    return static_cast<std::uint32_t>(
        static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - data) >> page_shift);
  }
  KOKKOS_FUNCTION FullSign<Platform> sign() const { return FullSign<Platform>(metadata); }
  /// The page is free again for everybody.
  template <class Table>
  KOKKOS_FUNCTION void give_back(const Table& table, void* pointer) const {
    if (pointer == nullptr) return;
    Platform::Atomics::release_fence();  // what was written to the page comes before what its next owner
                                         // writes
    table.release(page_of(pointer));
    sign().given_back();
  }
  KOKKOS_FUNCTION void count_failure(std::uint32_t random) const {
    FailureCounters<Platform>(metadata + 4).add(random);
  }
};

}  // namespace haloheap::allocators::detail

#endif
