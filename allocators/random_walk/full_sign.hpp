// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_FULL_SIGN_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_FULL_SIGN_HPP

#include <haloheap/core/lanes/bits.hpp>

namespace haloheap::allocators::detail {

/// Says that a heap without counters is full, so that those who come next need not look at all of it again.
/// One word: how many are looking at all pages now, the smallest number of pages that was not to be had, and
/// how often something was given back while either was not zero.
///
/// Who gives back clears its pages first and then reads the word; who looks is counted in the word first and
/// then reads the pages. So a page is seen by who looks, or who gave it back sees that somebody looks.
template <class Platform>
class FullSign {
  using Atomics = typename Platform::Atomics;

 public:
  using Word = std::uint64_t;

  KOKKOS_FUNCTION explicit FullSign(Word* word) : word_(word) {}

  /// Whether nobody can have `pages` pages in a row.
  KOKKOS_FUNCTION bool is_set(unsigned pages) const {
    const unsigned minimum = min_of(Atomics::load(word_));
    return minimum != 0 && pages >= minimum;
  }

  /// Before a look at all pages. The result is for end().
  KOKKOS_FUNCTION Word begin() const {
    const Word version = version_of(Atomics::fetch_add(word_, Word{1}));
    Atomics::fence();
    return version;
  }

  /// After a look at all pages: true if it did not find so many in a row (0: it did, or was not at all of
  /// them), and nothing was given back meanwhile, so that there are none.
  KOKKOS_FUNCTION bool end(Word version, unsigned missed) const {
    Word word = Atomics::load(word_);
    while (missed != 0 && version_of(word) == version) {
      const unsigned minimum = min_of(word);
      const Word set = minimum != 0 && minimum <= missed ? word : (word & ~min_bits) | Word{missed} << 20;
      const Word before = Atomics::compare_exchange(word_, word, set - 1);
      if (before == word) return true;
      word = before;
    }
    Atomics::fetch_add(word_, ~Word{0});
    return false;
  }

  /// After pages have become free.
  KOKKOS_FUNCTION void given_back() const {
    Atomics::fence();
    if ((Atomics::load(word_) & (lookers | min_bits)) == 0) return;
    Atomics::fetch_add(word_, one_version);
    Atomics::fetch_and(word_, ~min_bits);
  }

 private:
  static constexpr Word lookers = (Word{1} << 20) - 1;
  static constexpr Word min_bits = ((Word{1} << 36) - 1) ^ lookers;  // 16 bits
  static constexpr Word one_version = Word{1} << 36;

  KOKKOS_FUNCTION static unsigned min_of(Word word) { return static_cast<unsigned>(word >> 20 & 0xffff); }
  KOKKOS_FUNCTION static Word version_of(Word word) { return word >> 36; }

  Word* word_;
};

}  // namespace haloheap::allocators::detail

#endif
