// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_VIRTUAL_QUEUES_VIRTUAL_QUEUE_HPP
#define HALOHEAP_ALLOCATORS_VIRTUAL_QUEUES_VIRTUAL_QUEUE_HPP

#include <haloheap/allocators/virtual_queues/chunk_tables.hpp>

namespace haloheap::allocators::detail {

/// A queue of chunks whose slots are where they are needed: segments of 64 slots come from a reserve that all
/// queues share when a ticket first needs one, and go back when all of their tickets are done. A chunk is in
/// one queue at most, so that the reserve is enough for all of them together.
///
/// A semaphore counts the chunks. Who has taken one from it draws tickets until it has a chunk; who brings a
/// chunk draws tickets until it has found a slot. A take that comes to its slot before the put closes it, and
/// both draw another ticket: nobody waits for the other.
///
/// A slot belongs to the segment that its tag names; anything else there is of former times, and the slot
/// empty. A segment stays until 64 puts and 64 takes are done with it, and so as long as any ticket needs it.
template <class Platform>
class VirtualQueue {
  using Atomics = typename Platform::Atomics;
  using Tables = ChunkTables<Platform>;
  using Word = typename Tables::Word;

 public:
  static constexpr std::uint32_t none = ~0U;

  KOKKOS_FUNCTION VirtualQueue(const Tables& tables, unsigned number)
      : tables_(tables), head_(tables.heads[number]), number_(number) {}

  /// A chunk, or none if the semaphore says that there is none.
  KOKKOS_FUNCTION std::uint32_t take() const {
    if (static_cast<std::int64_t>(Atomics::load(&head_.count)) <= 0) return none;
    if (static_cast<std::int64_t>(Atomics::fetch_add(&head_.count, ~Word{0})) <= 0) {
      give();
      return none;
    }
    for (unsigned ticket = 0; ticket < max_tickets; ++ticket) {
      const std::uint32_t chunk = take_at(Atomics::fetch_add(&head_.head, Word{1}));
      if (chunk != none) return chunk;
    }
    give();
    return none;
  }

  KOKKOS_FUNCTION void put(std::uint32_t chunk) const {
    Atomics::release_fence();  // what was done with the chunk comes before who finds it does something
    while (!put_at(Atomics::fetch_add(&head_.tail, Word{1}), chunk)) continue;
    Atomics::release_fence();  // whoever takes from the semaphore can find it
    give();
  }

 private:
  static constexpr std::uint32_t closed = ~0U;
  static constexpr unsigned max_tickets = 1 << 10;  // there is a chunk for everybody who comes that far
  static constexpr unsigned slots = Tables::segment_slots;

  /// To the semaphore; who has found too little there can see that it has changed.
  KOKKOS_FUNCTION void give() const {
    Atomics::fetch_add(&head_.count, Word{1});
    Atomics::release_fence();
    Atomics::fetch_add(&tables_.shared->version, Word{1});
  }

  KOKKOS_FUNCTION std::uint32_t take_at(Word ticket) const {
    const std::uint32_t tag = tag_of(ticket), segment = segment_of(ticket);
    Word* const slot = slot_of(segment, ticket);
    std::uint32_t chunk = none;
    for (Word word = Atomics::load(slot);;) {
      const bool is_full = static_cast<std::uint32_t>(word >> 32) == tag;
      const Word before = Atomics::compare_exchange(slot, word, Word{tag} << 32 | closed);
      if (before == word) {
        if (is_full) chunk = static_cast<std::uint32_t>(word);
        break;
      }
      word = before;
    }
    done(ticket, segment);
    return chunk;
  }

  KOKKOS_FUNCTION bool put_at(Word ticket, std::uint32_t chunk) const {
    const std::uint32_t tag = tag_of(ticket), segment = segment_of(ticket);
    Word* const slot = slot_of(segment, ticket);
    bool is_there = false;
    for (Word word = Atomics::load(slot); static_cast<std::uint32_t>(word >> 32) != tag && !is_there;) {
      const Word before = Atomics::compare_exchange(slot, word, Word{tag} << 32 | chunk);
      is_there = before == word;
      word = before;
    }
    done(ticket, segment);
    return is_there;
  }

  /// Another one for each segment of each queue, but 0, which is what memory begins with.
  KOKKOS_FUNCTION std::uint32_t tag_of(Word ticket) const {
    return static_cast<std::uint32_t>(ticket / slots * Tables::queues + number_ + 1);
  }
  KOKKOS_FUNCTION Word* entry_of(Word ticket) const {
    return &tables_.directory[std::size_t{number_} * tables_.directory_size +
                              ticket / slots % tables_.directory_size];
  }
  KOKKOS_FUNCTION Word* slot_of(std::uint32_t segment, Word ticket) const {
    return &tables_.segments[std::size_t{segment} * slots + ticket % slots];
  }

  /// The segment of a ticket's slot, which is brought here if nobody did so before. Who waits for one of the
  /// reserve looks at the directory again each time: meanwhile another lane may have brought the segment, and
  /// it goes back when all of its tickets are done, this one among them.
  KOKKOS_FUNCTION std::uint32_t segment_of(Word ticket) const {
    const std::uint32_t tag = tag_of(ticket);
    Word* const entry = entry_of(ticket);
    for (;; Platform::pause()) {
      const Word word = Atomics::load(entry);
      const auto segment = static_cast<std::uint32_t>(word);  // and 1; 0: none
      if (segment != 0 && static_cast<std::uint32_t>(word >> 32) == tag) return segment - 1;
      if (segment != 0) continue;  // of tickets long ago, of which one is late
      const std::uint32_t brought = free_segment();
      if (brought == none) continue;
      if (Atomics::compare_exchange(entry, word, Word{tag} << 32 | (brought + 1)) == word) return brought;
      return_segment(brought);
    }
  }

  /// One of the reserve, or none: there is one as soon as those who are on their way are done with theirs.
  KOKKOS_FUNCTION std::uint32_t free_segment() const {
    const std::uint32_t words = (tables_.segment_count + 63) / 64;
    std::uint32_t at = lanes::bits::mix(Platform::entropy()) % words;
    for (std::uint32_t looks = 0; looks < words; ++looks, at = at + 1 == words ? 0 : at + 1) {
      for (Word free = Atomics::load(&tables_.free_segments[at]); free != 0;) {
        const Word bit = free & (~free + 1);
        if ((Atomics::fetch_and(&tables_.free_segments[at], ~bit) & bit) != 0)
          return at * 64 + lanes::bits::lowest(bit);
        free ^= bit;
      }
    }
    return none;
  }
  KOKKOS_FUNCTION void return_segment(std::uint32_t segment) const {
    Atomics::fetch_or(&tables_.free_segments[segment / 64], Word{1} << (segment % 64));
  }

  /// A put or a take has come to its end.
  KOKKOS_FUNCTION void done(Word ticket, std::uint32_t segment) const {
    Atomics::fence();  // what was done with the segment comes before its end
    if (Atomics::fetch_add(&tables_.uses[segment], 1U) + 1 != 2 * slots) return;
    Atomics::store(&tables_.uses[segment], 0U);
    Atomics::store(entry_of(ticket), Word{0});
    Atomics::fence();
    return_segment(segment);
  }

  const Tables& tables_;
  QueueHead& head_;
  unsigned number_;
};

}  // namespace haloheap::allocators::detail

#endif
