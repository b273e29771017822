// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_SUPERBLOCK_TABLE_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_SUPERBLOCK_TABLE_HPP

#include <haloheap/core/lanes/bits.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators::detail {

/// From the address of a part to its superblock: a hash table of fixed size, one word an entry. Lock-free.
///
/// A part may stand in any of `probes` places, which follow from its address, and a search looks at all of
/// them if it must; so a place that becomes empty is empty, and nothing is left behind by those that were
/// removed. Address and distance are in one word: there is no moment at which one is known without the other.
/// Invariant: an address stands in one place at most, since its part has one owner, who alone inserts and
/// removes it.
template <class Platform>
class SuperblockTable {
  using Atomics = typename Platform::Atomics;

 public:
  using Word = std::uint64_t;
  static constexpr unsigned probes = 64;
  static constexpr unsigned unit = 16;           ///< bytes: addresses and distances are multiples
  static constexpr unsigned distance_bits = 20;  ///< distances below 16 MiB
  static constexpr std::size_t none = ~std::size_t{0};
  static constexpr std::size_t reach = std::size_t{unit} << distance_bits;  ///< of distances, in bytes

  /// `places` is a power of two; all of them are to be 0 at first.
  KOKKOS_FUNCTION SuperblockTable(Word* words, std::uint32_t places) : words_(words), last_(places - 1) {}

  /// false if all places are taken, or if the numbers do not fit.
  KOKKOS_FUNCTION bool insert(const std::byte* part, std::size_t distance) const {
    const Word word = key(part) << distance_bits | distance / unit;
    if (key(word) != key(part) || distance >= reach) return false;
    Walk walk(key(part));
    for (unsigned i = 0; i < probes; ++i) {
      Word* const place = &words_[walk.next() & last_];
      if (Atomics::load(place) == 0 && Atomics::compare_exchange(place, Word{0}, word) == 0) return true;
    }
    return false;
  }

  /// Takes a part out; its distance from its superblock, or none if it is not there.
  KOKKOS_FUNCTION std::size_t remove(const std::byte* part) const {
    if (key(part) == 0) return none;  // as an empty place
    Walk walk(key(part));
    for (unsigned i = 0; i < probes; ++i) {
      Word* const place = &words_[walk.next() & last_];
      const Word word = Atomics::load(place);
      if (key(word) == key(part) && Atomics::compare_exchange(place, word, Word{0}) == word)
        return static_cast<std::size_t>(word & ((Word{1} << distance_bits) - 1)) * unit;
    }
    return none;
  }

 private:
  /// The places of a key: double hashing, so that full places do not cluster.
  class Walk {
   public:
    KOKKOS_FUNCTION explicit Walk(Word key)
        : at_(lanes::bits::mix(static_cast<std::uint32_t>(key) ^
                               lanes::bits::mix(static_cast<std::uint32_t>(key >> 32)))),
          step_(lanes::bits::mix(at_) | 1) {}
    KOKKOS_FUNCTION std::uint32_t next() { return at_ += step_; }

   private:
    std::uint32_t at_, step_;
  };

  KOKKOS_FUNCTION static Word key(const std::byte* part) {
    return reinterpret_cast<std::uintptr_t>(part) / unit;
  }
  KOKKOS_FUNCTION static Word key(Word word) { return word >> distance_bits; }

  Word* words_;
  std::uint32_t last_;
};

}  // namespace haloheap::allocators::detail

#endif
