// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_RUN_BITS_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_RUN_BITS_HPP

#include <haloheap/core/lanes/bits.hpp>

/// Runs of pages in words of 64. n is a number of pages, at least 1, and may be more than a word has.
namespace haloheap::allocators::detail::run_bits {

/// Where runs of n may start in a word: from there to the word's end, or n pages on, all are free. Of those
/// that go beyond the end, `after` free pages follow the word.
KOKKOS_INLINE_FUNCTION std::uint64_t starts(std::uint64_t free, unsigned n, std::uint32_t after) {
  std::uint64_t result = free;
  const unsigned inside = n < 64 ? n : 64;
  for (unsigned covered = 1; covered < inside;) {
    const unsigned step = covered < inside - covered ? covered : inside - covered;
    result &= result >> step | ~(~std::uint64_t{0} >> step);  // beyond the end all may be free
    covered += step;
  }
  // A run from bit s on leaves n - (64 - s) pages to the words that follow.
  const std::int64_t last = std::int64_t{64} + after - n;
  return last < 0
             ? 0
             : result & lanes::bits::low<std::uint64_t>(last >= 63 ? 64U : static_cast<unsigned>(last) + 1);
}

/// Where pages stand whose numbers are multiples of n, in the word of the pages from `first_page` on. Runs
/// that start there do not leave gaps between them that are too small for others of n.
KOKKOS_INLINE_FUNCTION std::uint64_t multiples(std::uint32_t first_page, unsigned n) {
  const std::uint32_t first = (n - first_page % n) % n;
  if (first >= 64) return 0;
  std::uint64_t result = std::uint64_t{1} << first;
  for (unsigned step = n; step < 64; step *= 2) result |= result << step;
  return result;
}

/// The part of a run that stands in one word.
struct Part {
  std::uint32_t word;
  std::uint64_t bits;
  unsigned pages;
};

/// The first part of the run of n pages from `page` on; the rest is that of (page + pages, n - pages).
KOKKOS_INLINE_FUNCTION Part part(std::uint32_t page, std::uint32_t n) {
  const unsigned bit = page % 64, room = 64 - bit;
  const unsigned pages = n < room ? n : room;
  return {page / 64, lanes::bits::low<std::uint64_t>(pages) << bit, pages};
}

}  // namespace haloheap::allocators::detail::run_bits

#endif
