// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_HEADER_CHAIN_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_HEADER_CHAIN_HPP

#include <haloheap/allocators/coalescing/small_words.hpp>
#include <haloheap/backend/pragma.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators::detail {

/// The segments of a superblock, each with a header in front that says how far behind the one before lies,
/// and three bits: whether the segment is free, whether it is the superblock's first, and whether it is the
/// last (highest) one that is not free and has to give the superblock back ([Blach2022], section 3.2).
/// Headers have 8, 4 or 2 bytes, told apart by where the payload lies: at a multiple of 8, of 4 only, of 2
/// only.
///
/// Invariants, from the last start() until a call of release() gets the superblock:
///   - is_free and is_last are only ever set, by an operation that tells what was set before. So when a
///     segment is freed and made the last one at the same time, one of the two sees the other's bit, and that
///     one goes on;
///   - one lane at most is responsible for the superblock: who sets is_free where is_last was set, or is_last
///     where is_free was set. It ends by handing over (is_last set where is_free was not) or at the first
///     segment. Only the one who is responsible looks at any segment but its own; after anything else, nobody
///     touches the superblock again;
///   - all segments above the one with is_last are free.
/// So of the calls of release(), one for each segment, one gets the superblock; what was done with any
/// segment comes before that. No call waits for another: it takes a step for each segment at most.
/// ([Blach2022] sets the bits by compare-and-swap; an `or` that tells the word before does the same and
/// cannot fail.)
///
/// All start() must come before any release() in the order of the lanes.
template <class Platform>
class HeaderChain {
  using Atomics = typename Platform::Atomics;

 public:
  using Word = std::uint64_t;
  static constexpr Word is_free = 1, is_superblock = 2, is_last = 4;
  static constexpr unsigned flag_bits = 3;

  /// Bytes of the header in front of a payload.
  KOKKOS_FUNCTION static unsigned header_bytes(const std::byte* payload) {
    const auto address = reinterpret_cast<std::uintptr_t>(payload);
    return address % 8 == 0 ? 8 : address % 4 == 0 ? 4 : 2;
  }

  /// Writes a header. `distance` is that to the payload of the segment before, or to the superblock's first
  /// byte where there is none; even, and below 2^14 (header of 2 bytes) or 2^30 (4 bytes).
  KOKKOS_FUNCTION static void start(std::byte* payload, std::size_t distance, bool first, bool last) {
    const Word word = Word{distance} / 2 << flag_bits | (first ? is_superblock : 0) | (last ? is_last : 0);
    switch (header_bytes(payload)) {
      case 8:
        Atomics::store(header<std::uint64_t>(payload), word);
        break;
      case 4:
        Atomics::store(header<std::uint32_t>(payload), static_cast<std::uint32_t>(word));
        break;
      default:
        small_words::start<Atomics>(header<std::uint16_t>(payload), static_cast<std::uint16_t>(word));
    }
  }

  /// A segment is given back. The superblock's first byte if the caller has to give that back now, or
  /// nullptr. Does nothing if the segment is free already.
  KOKKOS_FUNCTION static std::byte* release(std::byte* payload) {
    HALOHEAP_HIDE_POINTER(payload);
    Atomics::fence();  // what was done with the segment comes before its end
    Word before = set(payload, is_free);
    if ((before & is_free) != 0 || (before & is_last) == 0) return nullptr;
    while ((before & is_superblock) == 0) {
      payload -= distance(before);
      before = load(payload);
      if ((before & is_free) != 0) continue;
      Atomics::fence();  // whoever goes on from here has seen the end of all segments above
      before = set(payload, is_last);
      if ((before & is_free) == 0) return nullptr;
    }
    Atomics::fence();
    return payload - distance(before);
  }

 private:
  template <class T>
  KOKKOS_FUNCTION static T* header(std::byte* payload) {
    return reinterpret_cast<T*>(payload - sizeof(T));
  }

  KOKKOS_FUNCTION static std::size_t distance(Word word) { return word >> flag_bits << 1; }

  KOKKOS_FUNCTION static Word set(std::byte* payload, Word flag) {
    switch (header_bytes(payload)) {
      case 8:
        return Atomics::fetch_or(header<std::uint64_t>(payload), flag);
      case 4:
        return Atomics::fetch_or(header<std::uint32_t>(payload), static_cast<std::uint32_t>(flag));
      default:
        return small_words::fetch_or<Atomics>(header<std::uint16_t>(payload),
                                              static_cast<std::uint16_t>(flag));
    }
  }

  KOKKOS_FUNCTION static Word load(std::byte* payload) {
    switch (header_bytes(payload)) {
      case 8:
        return Atomics::load(header<std::uint64_t>(payload));
      case 4:
        return Atomics::load(header<std::uint32_t>(payload));
      default:
        return small_words::load<Atomics>(header<std::uint16_t>(payload));
    }
  }
};

}  // namespace haloheap::allocators::detail

#endif
