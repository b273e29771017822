// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_SET_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_SET_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/lanes/bits.hpp>

#include <cstdint>

namespace haloheap::allocators::detail {

/// A set of up to 4096 slabs: a bit each, and a bit for each word that is not empty, so that a member is
/// found with two loads. Lock-free. Whoever removes the last bit of a word and then the word's own bit may
/// have been overtaken by an insertion; it looks again and repairs, so that once all calls have returned,
/// every member can be found.
///
/// No fence of sequential consistency, which is slow: all changes of one word come one after the other. An
/// insertion sets the word's own bit always, and after the member's. If a removal clears it later, it has
/// seen the insertion's change, and with a release there and an acquire here also the member. The same holds
/// for a member and why it was inserted, at which its remover looks again.
template <class Platform>
class SlabSet {
  using Atomics = typename Platform::Atomics;

 public:
  using Word = std::uint64_t;
  static constexpr unsigned maximum = 64 * 64;
  static constexpr unsigned none = ~0U;

  KOKKOS_FUNCTION void insert(unsigned slab) { insert(slab / 64, bit(slab)); }

  /// Slabs of one word: 64 * number and on, a bit each.
  KOKKOS_FUNCTION void insert(unsigned number, Word slabs) {
    Atomics::release_fence();  // for remove(): why they are inserted
    Atomics::set_bits(&words_[number], slabs);
    Atomics::release_fence();  // for remove_word(): the members
    Atomics::set_bits(&summary_, bit(number));
  }

  /// The same of one that may well be a member: whether it was none. If it was, whoever has inserted it sets
  /// the word's own bit; its remover sees what this came after in any case.
  KOKKOS_FUNCTION bool insert_once(unsigned slab) {
    Atomics::release_fence();
    if ((Atomics::fetch_or(&words_[slab / 64], bit(slab)) & bit(slab)) != 0) return false;
    Atomics::release_fence();
    Atomics::set_bits(&summary_, bit(slab / 64));
    return true;
  }

  /// Whether it was a member: of many callers that remove the same one, one gets true.
  KOKKOS_FUNCTION bool remove(unsigned slab) { return remove(slab / 64, bit(slab)) != 0; }

  /// Slabs of one word; those that were members. What their insertions came after is then seen.
  KOKKOS_FUNCTION Word remove(unsigned number, Word slabs) {
    const Word before = Atomics::fetch_and(&words_[number], ~slabs);
    if ((before & slabs) != 0) Atomics::acquire_fence();  // of insert()'s first release
    if ((before & ~slabs) == 0) remove_word(number);
    return before & slabs;
  }

  KOKKOS_FUNCTION bool contains(unsigned slab) const {
    return (Atomics::load(&words_[slab / 64]) & bit(slab)) != 0;
  }

  /// A member, chosen by `start`; none if there is none.
  KOKKOS_FUNCTION unsigned find(std::uint32_t start) {
    // Without the summary first: what all lanes read, they queue up for.
    unsigned number = start % 64;
    Word word = Atomics::load(&words_[number]);
    while (word == 0) {
      const Word summary = Atomics::load(&summary_);
      if (summary == 0) return none;
      number = lanes::bits::pick(summary, start);
      word = Atomics::load(&words_[number]);
      if (word == 0) remove_word(number);
    }
    return number * 64 + lanes::bits::pick(word, start >> 6);
  }

  /// One load; may be wrong while others insert and remove.
  KOKKOS_FUNCTION bool seems_empty() const { return Atomics::load(&summary_) == 0; }

  /// The same of a set of so many slabs for sure: looks at all members. Who removes a word's last one and has
  /// not looked again yet may hide others for long; they can be found from here on.
  KOKKOS_FUNCTION bool is_empty(unsigned slabs) {
    Word words = 0;
    HALOHEAP_KEEP_LOOP
    for (unsigned number = 0; number * 64 < slabs; ++number)
      if (Atomics::load(&words_[number]) != 0) words |= bit(number);
    if (words == 0) return true;
    Atomics::fence();  // the members are those of others: who clears the bits again is to see them
    Atomics::set_bits(&summary_, words);
    return false;
  }

  /// Words with members, of 64 slabs each, by one load.
  KOKKOS_FUNCTION unsigned seems_words() const {
    return static_cast<unsigned>(lanes::bits::count(Atomics::load(&summary_)));
  }

  /// Whether it was empty, from what may be old.
  KOKKOS_FUNCTION bool seemed_empty() const { return Atomics::load_stale(&summary_) == 0; }

  /// 64 members' bits: slabs 64 * number and on.
  KOKKOS_FUNCTION Word word(unsigned number) const { return Atomics::load(&words_[number]); }

  /// For the first filling, before anybody else sees the set.
  KOKKOS_FUNCTION void fill(unsigned slabs) {
    summary_ = lanes::bits::low<Word>((slabs + 63) / 64);
    for (unsigned w = 0; w < 64; ++w)
      words_[w] = w * 64 >= slabs ? 0 : lanes::bits::low<Word>(slabs - w * 64 < 64 ? slabs - w * 64 : 64);
  }

 private:
  KOKKOS_FUNCTION static Word bit(unsigned number) { return Word{1} << (number % 64); }

  KOKKOS_FUNCTION void remove_word(unsigned number) {
    // Who finds it cleared leaves the look to whoever has cleared it.
    if ((Atomics::fetch_and(&summary_, ~bit(number)) & bit(number)) == 0) return;
    Atomics::acquire_fence();  // of insert()'s second release
    if (Atomics::load(&words_[number]) != 0) {
      Atomics::release_fence();  // the members are those of others: who clears the bit again is to see them
      Atomics::set_bits(&summary_, bit(number));
    }
  }

  alignas(64) Word summary_;
  Word words_[64];
};

}  // namespace haloheap::allocators::detail

#endif
