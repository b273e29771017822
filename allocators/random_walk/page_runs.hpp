// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_RUNS_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_RUNS_HPP

#include <haloheap/allocators/random_walk/page_bitmap.hpp>
#include <haloheap/allocators/random_walk/page_pool.hpp>
#include <haloheap/allocators/random_walk/run_bits.hpp>

namespace haloheap::allocators::detail {

/// Claims and frees pages one after the other, also across words. One lane's work.
template <class Platform>
class PageRuns {
  using Word = std::uint64_t;

 public:
  KOKKOS_FUNCTION PageRuns(const PagePool<Platform>& pool, const PageBitmap<Platform>& bitmap)
      : pool_(pool), bitmap_(bitmap) {}

  /// Whether all n pages were free and are now the caller's. Words are claimed from low to high: of many who
  /// are in each other's way, the highest succeeds. Who has lost a page gives back what it has set itself.
  KOKKOS_FUNCTION bool claim(std::uint32_t first, std::uint32_t n) const {
    for (std::uint32_t done = 0; done < n;) {
      const run_bits::Part part = run_bits::part(first + done, n - done);
      const Word got = bitmap_.take(part.word, part.bits);
      if (got != part.bits) {
        if (got != 0) bitmap_.release(part.word, got);
        clear(first, done);
        if (got != 0 || done != 0) pool_.sign().given_back();  // others may have taken them for used
        return false;
      }
      done += part.pages;
    }
    return true;
  }

  KOKKOS_FUNCTION void release(std::uint32_t first, std::uint32_t n) const {
    clear(first, n);
    pool_.sign().given_back();
  }

  /// Free pages from a word's first one on, up to `maximum`, as far as they are free now.
  KOKKOS_FUNCTION std::uint32_t free_from(std::uint32_t word, std::uint32_t maximum) const {
    std::uint32_t result = 0;
    for (; result < maximum && word < bitmap_.chunks(); ++word) {
      const Word used = ~bitmap_.free(word);
      if (used != 0) return result + lanes::bits::lowest(used);
      result += 64;
    }
    return result;
  }

 private:
  KOKKOS_FUNCTION void clear(std::uint32_t first, std::uint32_t n) const {
    for (std::uint32_t done = 0; done < n;) {
      const run_bits::Part part = run_bits::part(first + done, n - done);
      bitmap_.release(part.word, part.bits);
      done += part.pages;
    }
  }

  const PagePool<Platform>& pool_;
  const PageBitmap<Platform>& bitmap_;
};

}  // namespace haloheap::allocators::detail

#endif
