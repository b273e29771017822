// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_BITMAP_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_BITMAP_HPP

#include <haloheap/core/lanes/bits.hpp>

namespace haloheap::allocators::detail {

/// A bit for each page, set while somebody has the page. A page is claimed by who changes its bit from 0, so
/// no bit is ever lost or handed out twice, whoever works on the same word.
template <class Platform>
struct PageBitmap {
  using Atomics = typename Platform::Atomics;
  using Word = std::uint64_t;
  static constexpr unsigned chunk_pages = 64;

  Word* words;
  std::uint32_t pages;

  KOKKOS_FUNCTION std::uint32_t chunks() const { return (pages + chunk_pages - 1) / chunk_pages; }
  /// The word's free pages; bits beyond the pool's end are not.
  KOKKOS_FUNCTION Word free(std::uint32_t word) const {
    const std::uint32_t rest = pages - word * chunk_pages;
    const Word valid = lanes::bits::low<Word>(rest < chunk_pages ? rest : chunk_pages);
    return ~Atomics::load(&words[word]) & valid;
  }
  /// Those of the word's pages that were free and are now the caller's. One operation.
  KOKKOS_FUNCTION Word take(std::uint32_t word, Word wanted) const {
    return wanted & ~Atomics::fetch_or(&words[word], wanted);
  }
  KOKKOS_FUNCTION void release(std::uint32_t word, Word owned) const {
    Atomics::fetch_and(&words[word], ~owned);
  }
  KOKKOS_FUNCTION void release(std::uint32_t page) const {
    release(page / chunk_pages, Word{1} << (page % chunk_pages));
  }
};

}  // namespace haloheap::allocators::detail

#endif
