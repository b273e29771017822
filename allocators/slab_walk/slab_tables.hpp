// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_TABLES_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_TABLES_HPP

#include <haloheap/allocators/slab_walk/slab_classes.hpp>
#include <haloheap/allocators/slab_walk/slab_set.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators::detail {

/// A slab's size class and the number of its slots that nobody has reserved, in one word, so that one
/// operation takes some and tells whose they are. The number may be below zero for a moment, while those who
/// took too much give it back.
struct SlabState {
  using Word = std::uint64_t;
  static constexpr std::uint32_t no_class = 0xffff;   ///< anybody may have the slab
  static constexpr std::uint32_t run_class = 0xfffe;  ///< part of a large block
  static constexpr std::uint32_t zero = 1U << 31;     ///< stands for no free slots
  /// So far below zero that nobody finds a free slot in a slab that is nobody's.
  static constexpr int nobody = -(1 << 30);

  KOKKOS_FUNCTION static Word of(std::uint32_t number, int free) {
    return Word{number} << 32 |
           static_cast<std::uint32_t>(static_cast<int>(zero + static_cast<unsigned>(free)));
  }
  KOKKOS_FUNCTION static Word retired() { return of(no_class, nobody); }
  KOKKOS_FUNCTION static std::uint32_t number(Word state) { return static_cast<std::uint32_t>(state >> 32); }
  KOKKOS_FUNCTION static int free(Word state) {
    return static_cast<int>(static_cast<std::uint32_t>(state) - zero);
  }
};

/// What never changes of a size class, worked out once.
struct alignas(16) SlabClass {
  std::uint32_t bytes, slots;  ///< of a slot; in a slab
  std::uint32_t inverse;       ///< 2^32 / bytes, rounded up: exact for offsets where slots begin

  KOKKOS_FUNCTION static SlabClass of(std::uint32_t bytes, std::uint32_t slab_bytes) {
    return {bytes, slab_bytes / bytes,
            static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + bytes - 1) / bytes)};
  }
  KOKKOS_FUNCTION std::uint32_t slot_at(std::uint32_t offset) const {
    return static_cast<std::uint32_t>((std::uint64_t{offset} * inverse) >> 32);
  }
  /// A slab is roomy from `many` free slots on, and until no more than `few` are left.
  KOKKOS_FUNCTION int few() const { return static_cast<int>(slots / 32); }
  KOKKOS_FUNCTION int many() const { return Kokkos::max(1, static_cast<int>(slots / 16)); }
};

/// How many slabs a class was given.
struct alignas(8) SlabCount {
  std::uint32_t added;  ///< so far, those that others have taken away included
  std::uint32_t
      inverse;  ///< 2^32 / (how many places the class has for known slabs), rounded up; or an older one

  KOKKOS_FUNCTION static std::uint32_t inverse_of(std::uint32_t places) { return ~0U / places + 1; }
  /// A place for each warp, in turn: number % places while number * places is below 2^32.
  KOKKOS_FUNCTION static std::uint32_t place(std::uint32_t number, std::uint32_t inverse,
                                             std::uint32_t places) {
    return static_cast<std::uint32_t>(std::uint64_t{number * inverse} * places >> 32);
  }
};

/// The slabs of one size class that have free slots.
template <class Platform>
struct ClassSlabs {
  SlabSet<Platform> roomy;    ///< where a slot is found at once
  SlabSet<Platform> partial;  ///< all
  std::uint32_t growing;      ///< warps that are about to add slabs
  SlabCount count;
};

/// Where the lanes of one neighbourhood look for slots of a size class when they have no better idea: one of
/// them looks for a slab, the others wait a moment for what it finds.
struct alignas(64) SlabHome {
  static constexpr std::uint32_t looking = std::uint32_t{1} << 31;  ///< one of them is at it
  static constexpr std::uint32_t scarce = std::uint32_t{1}
                                          << 30;                 ///< slots are hard to find, also in the slab
  static constexpr std::uint32_t full = std::uint32_t{1} << 29;  ///< there was none in the version below
  static constexpr std::uint32_t number = full - 1;

  std::uint32_t word;  ///< flags, and 1 + slab or the version that was full; 0: nothing known

  /// Whether it is likely that slots taken in the hope that they are there must be given back.
  KOKKOS_FUNCTION static bool says_scarce(std::uint32_t word) { return (word & (scarce | full)) != 0; }
};

/// What all lanes share. A slot's bit is set while somebody has it.
template <class Platform>
struct SlabTables {
  using Word = std::uint32_t;
  static constexpr unsigned word_slots = 32;

  /// A slab's state has a memory sector of its own: neighbours would queue up at it.
  struct alignas(32) State {
    SlabState::Word word;
  };
  /// How often something was given back since the heap was full for the first time; many copies of it.
  struct alignas(64) Version {
    std::uint32_t count;
  };
  struct Shared {
    SlabSet<Platform> free;  ///< slabs of nobody
    /// Slabs of a class for others to take: all whose slots are free, and some whose slots were.
    SlabSet<Platform> empty;
    std::uint32_t was_full;          ///< somebody has found the heap full for its class, or looks whether
    std::uint32_t used, high_water;  ///< slabs that are not free
  };
  static constexpr unsigned copies = 32;

  std::byte* pool;
  Word* words;  ///< from first_word(slab) on for each slab
  State* states;
  ClassSlabs<Platform>* classes;
  SlabClass* sizes;      ///< by size class
  SlabHome* homes;       ///< `home_count` for each class
  Version* versions;     ///< `copies`
  std::uint16_t* known;  ///< for each class `slabs` places: 1 + a slab that was made the class's, or 0
  /// The classes of all slabs, `copies` times: whoever frees reads one, and what all lanes read at once they
  /// queue up for.
  std::uint16_t* slab_classes;
  Shared* shared;
  std::uint64_t* failures;  ///< of FailureCounters
  std::uint32_t slabs, class_count;
  unsigned home_count;  ///< a power of two
  unsigned slab_shift;  ///< log2 of a slab's bytes

  KOKKOS_FUNCTION std::uint32_t slab_bytes() const { return std::uint32_t{1} << slab_shift; }
  /// Where slots' bits of a slab begin among the words.
  KOKKOS_FUNCTION std::uint32_t first_word(unsigned slab) const {
    return slab << (slab_shift - 9);  // a bit for 16 bytes, 32 a word
  }
  KOKKOS_FUNCTION Word* slab_words(unsigned slab) const { return words + first_word(slab); }
  KOKKOS_FUNCTION std::uint16_t& slab_class(unsigned copy, unsigned slab) const {
    return slab_classes[static_cast<std::size_t>(copy) * slabs + slab];
  }
  KOKKOS_FUNCTION std::uint16_t* known_slabs(unsigned size_class) const {
    return known + static_cast<std::size_t>(size_class) * slabs;
  }
  KOKKOS_FUNCTION SlabHome& home(unsigned size_class, unsigned number) const {
    return homes[size_class * home_count + (number & (home_count - 1))];
  }
  KOKKOS_FUNCTION std::byte* slab_data(unsigned slab) const {
    return pool + (static_cast<std::size_t>(slab) << slab_shift);
  }
};

}  // namespace haloheap::allocators::detail

#endif
