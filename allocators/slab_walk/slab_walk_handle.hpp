// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_WALK_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_WALK_HANDLE_HPP

#include <haloheap/allocators/slab_walk/slab_runs.hpp>
#include <haloheap/allocators/view_source.hpp>

namespace haloheap {

/// What kernels hold of a SlabWalk heap.
///
/// allocate: the lanes that want the same size class reserve slots of one slab with one operation. The number
/// that were reserved before says which slots are free if the slab was filled in order, so they are tried
/// first, with one operation a word of 64 slots; neighbouring lanes then get neighbouring memory. Whose slot
/// is taken walks on from a random word: a reservation means that there is one.
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
    const std::uint32_t start = bits::mix(Platform::entropy() ^ lanes.lane());
    std::byte* block = nullptr;
    while (lanes.ballot(waiting != 0) != 0) {
      const unsigned leader = waiting == 0 ? lanes.lane() : bits::lowest(waiting);
      Reservation promised;
      if (waiting != 0 && lanes.lane() == leader)
        promised = SlabReservations<Platform>(tables_).reserve(size_class, bits::count(waiting), start);
      promised.slab = lanes.shuffle(promised.slab, leader);
      promised.free = lanes.shuffle(promised.free, leader);
      const int rank = bits::count(waiting & below(lanes.lane()));
      const int got = Kokkos::min(promised.free, bits::count(waiting));
      const bool mine = waiting != 0 && rank < got;
      const int slot = claim(lanes, waiting, promised, size_class, mine ? rank : -1, got, start);
      if (slot >= 0)
        block = tables_.slab_data(promised.slab) +
                static_cast<std::size_t>(slot) * slab_classes::size(size_class);
      // Those left over go on alone: where one slab has not enough for all, few will have.
      const bool done = mine || promised.free <= 0;
      waiting = waiting == 0 || done ? 0 : Mask{1} << lanes.lane();
    }
    if (block == nullptr) count_failure(start);
    return block;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    const Lanes lanes = Lanes::here();
    bool active = pointer != nullptr;
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(pointer) - tables_.pool);
    const unsigned slab = active ? static_cast<unsigned>(offset >> tables_.slab_shift) : 0;
    const unsigned size_class = SlabState::number(Atomics::load(&tables_.states[slab].word));
    if (active && size_class == SlabState::run_class) {
      SlabRuns<Platform>(tables_).deallocate(slab);
      active = false;
    }
    const std::uint32_t inside = static_cast<std::uint32_t>(offset) & (tables_.slab_bytes() - 1);
    const std::uint32_t slot = active ? inside / slab_classes::size(size_class) : 0;
    const std::uint32_t word = (slab << (tables_.slab_shift - 10)) + slot / 64;
    const Word bit = active ? Word{1} << (slot % 64) : 0;
    Atomics::fence();  // what was written to the block comes before whatever its next owner writes
    for (Mask left = lanes.ballot(active); left != 0;) {
      const unsigned leader = bits::lowest(left);
      const bool same = active && word == lanes.shuffle(word, leader);
      const Mask together = lanes.ballot(same);
      const Word all = lanes.reduce_or(same ? bit : 0);
      if (lanes.lane() == leader) release(word, all, bits::count(together), slab);
      if (same) active = false;
      left &= ~together;
    }
  }

 private:
  KOKKOS_FUNCTION static Mask below(unsigned lane) { return bits::low<Mask>(lane); }

  /// The lanes with the same size class.
  KOKKOS_FUNCTION static Mask alike(const Lanes& lanes, unsigned size_class) {
    const unsigned first = lanes.shuffle(size_class, bits::lowest(lanes.mask()));
    if (lanes.ballot(size_class == first) == lanes.mask()) return lanes.mask();
    return lanes.match(size_class);
  }

  /// Makes promised slots this lane's own; its number. All lanes call; rank < 0: nothing for this one.
  KOKKOS_FUNCTION int claim(const Lanes& lanes, Mask waiting, const Reservation& promised,
                            unsigned size_class, int rank, int got, std::uint32_t start) const {
    const auto slots = static_cast<int>(tables_.slots(size_class));
    const int guess = slots - promised.free + rank;
    const unsigned bit = static_cast<unsigned>(guess) % 64;
    const bool first = rank == 0 || (rank > 0 && bit == 0);  // of those whose guesses share a word
    Word* const words = tables_.slab_words(promised.slab);
    Word before = 0;
    if (first) {
      const int together = Kokkos::min(got - rank, 64 - static_cast<int>(bit));
      before = Atomics::fetch_or(&words[guess / 64], bits::low<Word>(static_cast<unsigned>(together)) << bit);
    }
    const Mask firsts = lanes.ballot(first) & waiting & below(lanes.lane() + 1);
    before = lanes.shuffle(before, rank < 0 ? lanes.lane() : bits::highest(firsts));
    if (rank < 0) return -1;
    // No fence: all that a lane does with its slot waits for this answer.
    if ((before >> bit & 1) == 0) return guess;
    return walk(promised.slab, static_cast<unsigned>(slots), bits::mix(start + static_cast<unsigned>(rank)));
  }

  /// A free slot of a slab in which one is promised.
  KOKKOS_FUNCTION int walk(unsigned slab, unsigned slots, std::uint32_t start) const {
    Word* const words = tables_.slab_words(slab);
    const unsigned count = (slots + 63) / 64;
    // One round finds it, but for slots that move behind the walker's back.
    unsigned number = start % count;
    for (unsigned i = 0; i < 4 * count + 256; ++i, number = number + 1 == count ? 0 : number + 1) {
      const Word valid = bits::low<Word>(Kokkos::min(64U, slots - number * 64));
      for (Word free = ~Atomics::load(&words[number]) & valid; free != 0;) {
        const unsigned bit = bits::pick(free, start);
        const Word before = Atomics::fetch_or(&words[number], Word{1} << bit);
        if ((before >> bit & 1) == 0) return static_cast<int>(number * 64 + bit);
        free &= ~before;
      }
    }
    SlabReservations<Platform>(tables_).give_back(slab, 1);
    return -1;
  }

  /// Slots of one word become free: first their bits, then their number, since a reservation promises a bit.
  KOKKOS_FUNCTION void release(std::uint32_t word, Word slots, int count, unsigned slab) const {
    Atomics::fetch_and(&tables_.words[word], ~slots);
    Atomics::fence();
    SlabReservations<Platform>(tables_).give_back(slab, count);
  }

  KOKKOS_FUNCTION void* allocate_run(std::size_t bytes) const {
    void* const block = SlabRuns<Platform>(tables_).allocate(bytes);
    if (block == nullptr) count_failure(0);
    return block;
  }

  KOKKOS_FUNCTION void count_failure(std::uint32_t start) const {
    Atomics::fetch_add(&tables_.failures[start % Tables::failure_counters].count, std::uint64_t{1});
  }

  Tables tables_;
};

}  // namespace haloheap

#endif
