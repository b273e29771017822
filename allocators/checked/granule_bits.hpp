// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHECKED_GRANULE_BITS_HPP
#define HALOHEAP_ALLOCATORS_CHECKED_GRANULE_BITS_HPP

#include <haloheap/core/lanes/bits.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators::detail {

/// A bit for each granule of 16 bytes of a pool.
template <class Platform>
class GranuleBits {
  using Atomics = typename Platform::Atomics;

 public:
  using Word = std::uint32_t;
  static constexpr std::size_t granule = 16;  ///< bytes
  static constexpr unsigned word_bits = 32;

  /// Words for a pool of so many bytes.
  static constexpr std::size_t words(std::size_t pool) {
    return (pool / granule + word_bits - 1) / word_bits + 1;
  }

  KOKKOS_FUNCTION explicit GranuleBits(Word* words) : words_(words) {}

  KOKKOS_FUNCTION bool test(std::size_t number) const {
    return (Atomics::load(&words_[number / word_bits]) >> (number % word_bits) & 1) != 0;
  }
  KOKKOS_FUNCTION void set(std::size_t number) const {
    Atomics::fetch_or(&words_[number / word_bits], Word{1} << (number % word_bits));
  }
  /// Whether it was set: of several that clear it at once, one is told so.
  KOKKOS_FUNCTION bool clear(std::size_t number) const {
    const Word bit = Word{1} << (number % word_bits);
    return (Atomics::fetch_and(&words_[number / word_bits], ~bit) & bit) != 0;
  }

  KOKKOS_FUNCTION void set(std::size_t first, std::size_t count) const {
    for_words(first, count, [this](std::size_t word, Word mask) { Atomics::fetch_or(&words_[word], mask); });
  }

  /// Clears them, and calls visit(number) for each that was set.
  template <class Visit>
  KOKKOS_FUNCTION void clear(std::size_t first, std::size_t count, const Visit& visit) const {
    for_words(first, count, [this, &visit](std::size_t word, Word mask) {
      for (Word was = Atomics::fetch_and(&words_[word], ~mask) & mask; was != 0; was &= was - 1)
        visit(word * word_bits + lanes::bits::lowest(was));
    });
  }

 private:
  template <class Visit>
  KOKKOS_FUNCTION static void for_words(std::size_t first, std::size_t count, const Visit& visit) {
    for (const std::size_t end = first + count; first < end;) {
      const auto low = static_cast<unsigned>(first % word_bits);
      const auto some =
          static_cast<unsigned>(Kokkos::min(end - first, static_cast<std::size_t>(word_bits - low)));
      visit(first / word_bits, lanes::bits::low<Word>(some) << low);
      first += some;
    }
  }

  Word* words_;
};

}  // namespace haloheap::allocators::detail

#endif
