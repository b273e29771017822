// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_WALK_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_WALK_HANDLE_HPP

#include <haloheap/allocators/failure_counters.hpp>
#include <haloheap/allocators/slab_walk/slab_reservation.hpp>
#include <haloheap/allocators/slab_walk/slab_runs.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/core/lanes/group.hpp>
#include <haloheap/core/lanes/random.hpp>

namespace haloheap {

/// What kernels hold of a SlabWalk heap.
///
/// allocate: the lanes that want the same size class reserve slots of one slab with one operation. The number
/// that were reserved before says which slots are free if the slab was filled in order, so they are tried
/// first, with one operation a word of 32 slots; neighbouring lanes then get neighbouring memory. Whose slot
/// is taken walks through words at random: a reservation means that there is one.
template <class Platform>
class SlabWalkHandle : public ViewSource<SlabWalkHandle<Platform>> {
  using Atomics = typename Platform::Atomics;
  using Lanes = typename Platform::Lanes;
  using Mask = typename Lanes::Mask;
  using Tables = SlabTables<Platform>;
  using Word = typename Tables::Word;

 public:
  KOKKOS_FUNCTION explicit SlabWalkHandle(const Tables& tables) : tables_(tables) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    if (bytes > tables_.slab_bytes() / 2) return allocate_run(bytes);
    const Lanes lanes = Lanes::here();
    const unsigned size_class = slab_classes::of(bytes == 0 ? 1 : static_cast<std::uint32_t>(bytes));
    Mask waiting = alike(lanes, size_class);  // of this lane's class, itself included
    std::byte* block = nullptr;
    do {
      const unsigned leader = waiting == 0 ? lanes.lane() : bits::lowest(waiting);
      Reservation promised;
      if (waiting != 0 && lanes.lane() == leader)
        promised = SlabReservations<Platform>(tables_).reserve(size_class, bits::count(waiting));
      promised.slab = lanes.shuffle(promised.slab, leader);
      promised.free = lanes.shuffle(promised.free, leader);
      const int rank = bits::count(waiting & group::below(lanes));
      const int got = Kokkos::min(promised.free, bits::count(waiting));
      const bool mine = waiting != 0 && rank < got;
      const SlabClass size = tables_.sizes[size_class];
      const int slot = claim(lanes, waiting, promised, size, mine ? rank : -1, got);
      if (slot >= 0) block = tables_.slab_data(promised.slab) + static_cast<std::size_t>(slot) * size.bytes;
      // Those left over go on alone: where one slab has not enough for all, few will have.
      const bool done = mine || promised.free <= 0;
      waiting = waiting == 0 || done ? 0 : Mask{1} << lanes.lane();
    } while (lanes.ballot(waiting != 0) != 0);
    if (block == nullptr) count_failure();
    return block;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    const Lanes lanes = Lanes::here();
    bool active = pointer != nullptr;
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(pointer) - tables_.pool);
    const unsigned slab = active ? static_cast<unsigned>(offset >> tables_.slab_shift) : 0;
    const unsigned size_class = Atomics::load(&tables_.slab_class(Platform::home() % Tables::copies, slab));
    if (active && size_class == SlabState::run_class) {
      SlabRuns<Platform>(tables_).deallocate(slab);
      active = false;
    }
    const std::uint32_t inside = static_cast<std::uint32_t>(offset) & (tables_.slab_bytes() - 1);
    const std::uint32_t slot = active ? tables_.sizes[size_class].slot_at(inside) : 0;
    const std::uint32_t word = tables_.first_word(slab) + slot / Tables::word_slots;
    const Word bit = active ? Word{1} << (slot % Tables::word_slots) : 0;
    Atomics::release_fence();  // what was written to the block comes before what its next owner writes
    // Lanes with slots of the same word clear them together, where that takes a few turns.
    Mask left = lanes.ballot(active);
    for (int turn = 0; turn < most_turns && left != 0; ++turn) {
      const unsigned leader = bits::lowest(left);
      const std::uint32_t leading = lanes.shuffle(word, leader);  // all call, also those that are not active
      const bool same = active && word == leading;
      const auto all = static_cast<Word>(lanes.reduce_or(same ? bit : 0));
      if (lanes.lane() == leader) release(word, all, slab);
      if (same) active = false;
      left = lanes.ballot(active);
    }
    if (active) release(word, bit, slab);
  }

 private:
  static constexpr int most_turns = 3;

  /// The lanes with the same size class.
  KOKKOS_FUNCTION static Mask alike(const Lanes& lanes, unsigned size_class) {
    const unsigned first = lanes.shuffle(size_class, bits::lowest(lanes.mask()));
    if (lanes.ballot(size_class == first) == lanes.mask()) return lanes.mask();
    return lanes.match(size_class);
  }

  /// Makes promised slots this lane's own; its number. All lanes call; rank < 0: nothing for this one.
  KOKKOS_FUNCTION int claim(const Lanes& lanes, Mask waiting, const Reservation& promised,
                            const SlabClass& size, int rank, int got) const {
    const int guess = static_cast<int>(size.slots) - promised.free + rank;
    const unsigned bit = static_cast<unsigned>(guess) % Tables::word_slots;
    const bool first = rank == 0 || (rank > 0 && bit == 0);  // of those whose guesses share a word
    Word before = 0;
    if (first) {
      const auto together = static_cast<unsigned>(got - rank);
      before =
          Atomics::fetch_or(&tables_.slab_words(promised.slab)[guess / static_cast<int>(Tables::word_slots)],
                            bits::low<Word>(together) << bit);
    }
    const Mask firsts = lanes.ballot(first) & waiting & (group::below(lanes) | Mask{1} << lanes.lane());
    before = lanes.shuffle(before, rank < 0 ? lanes.lane() : bits::highest(firsts));
    if (rank < 0) return -1;
    // No fence: all that a lane does with its slot waits for this answer.
    if ((before >> bit & 1) == 0) return guess;
    return walk(promised.slab, size.slots, lanes.lane());
  }

  /// A free slot of a slab in which one is promised: in words at random, since the guesses leave long runs of
  /// full words behind them; then in one word after the other.
  KOKKOS_FUNCTION int walk(unsigned slab, std::uint32_t slots, unsigned lane) const {
    constexpr unsigned random_words = 32;
    Word* const words = tables_.slab_words(slab);
    const unsigned count = (slots + Tables::word_slots - 1) / Tables::word_slots;
    LaneRandom random(Platform::entropy(), lane);
    unsigned number = 0;
    // One round finds it, but for slots that move behind the walker's back.
    for (unsigned i = 0; i < random_words + 4 * count + 256; ++i) {
      number = i < random_words ? random.below(count) : (number + 1) % count;
      const Word valid = bits::low<Word>(slots - number * Tables::word_slots);
      for (Word free = ~Atomics::load(&words[number]) & valid; free != 0;) {
        const unsigned bit = bits::lowest(free);
        const Word before = Atomics::fetch_or(&words[number], Word{1} << bit);
        if ((before >> bit & 1) == 0) return static_cast<int>(number * Tables::word_slots + bit);
        free &= ~before;
      }
    }
    SlabReservations<Platform>(tables_).give_back(slab, 1);
    return -1;
  }

  /// Slots of one word become free: first their bits, then their number, since a reservation promises a bit.
  KOKKOS_FUNCTION void release(std::uint32_t word, Word slots, unsigned slab) const {
    const Word before = Atomics::fetch_and(&tables_.words[word], ~slots);
    // No fence: what is added depends on the answer.
    SlabReservations<Platform>(tables_).give_back(slab, bits::count(before & slots));
  }

  KOKKOS_FUNCTION void* allocate_run(std::size_t bytes) const {
    void* const block = SlabRuns<Platform>(tables_).allocate(bytes);
    if (block == nullptr) count_failure();
    return block;
  }

  KOKKOS_FUNCTION void count_failure() const {
    FailureCounters<Platform>(tables_.failures).add(Platform::home());
  }

  Tables tables_;
};

}  // namespace haloheap

#endif
