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

namespace haloheap::allocators::detail {

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
    const unsigned size_class = slab_classes::of(bytes == 0 ? 1 : static_cast<std::uint32_t>(bytes));
    const SlabReservations<Platform> reservations(tables_);
    const std::uint32_t hint = reservations.hint(size_class);
    if (reservations.is_full(hint)) return refused();
    const bool scarce = SlabHome::says_scarce(hint);
    const Lanes lanes = Lanes::here();
    Mask group = lanes.mask();  // of this lane's class, itself included
    Attempt attempt;
    Reservation promised;
    int slot = none;
    if (lanes.is_whole() && all_alike(lanes.whole(), size_class)) {
      const SlabClass size = tables_.sizes[size_class];
      slot = quick(lanes.whole(), size_class, size, scarce, attempt, promised);
      if (lanes.whole().ballot(slot < 0) == 0) return slot_data(size, promised.slab, slot);
    } else {
      group = alike(lanes, size_class);
    }
    const bool claimed = promised.free > 0;
    if (!claimed && lanes.lane() == lanes::bits::lowest(group)) {
      promised = reservations.guess(size_class, lanes::bits::count(group), attempt, scarce);
      if (scarce) reservations.forget_scarcity(size_class, hint, promised.free);
    }
    std::byte* block = share(lanes, group, size_class, promised, claimed, slot);
    const Mask left = group & lanes.ballot(block == nullptr);
    if (lanes.ballot(left != 0) != 0) insist(lanes, block == nullptr ? left : 0, size_class, block);
    const Mask failed = lanes.ballot(block == nullptr);
    if (block == nullptr && lanes.lane() == lanes::bits::lowest(failed))
      count_failures(lanes::bits::count(failed));
    if (lanes.lane() == lanes::bits::lowest(group))
      reservations.grow_ahead(size_class, promised.free, lanes::bits::count(group));
    return block;
  }

  /// A block that was given back already: nothing happens while its memory is nobody's; later it is another's
  /// block that is freed. Nothing beyond the metadata is read or written. Checked finds it.
  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    const Lanes lanes = Lanes::here();
    bool active = pointer != nullptr;
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(pointer) - tables_.pool);
    const unsigned slab = active ? static_cast<unsigned>(offset >> tables_.slab_shift) : 0;
    const unsigned size_class = Atomics::load(&tables_.slab_class(Platform::home() % Tables::copies, slab));
    if (active && size_class >= tables_.class_count) {  // no slots; those of nobody were given back before
      if (size_class == SlabState::run_class) SlabRuns<Platform>(tables_).deallocate(slab);
      active = false;
    }
    const std::uint32_t inside = static_cast<std::uint32_t>(offset) & (tables_.slab_bytes() - 1);
    const std::uint32_t slot = active ? tables_.sizes[size_class].slot_at(inside) : 0;
    const std::uint32_t word = tables_.first_word(slab) + slot / Tables::word_slots;
    const Word bit = active ? Word{1} << (slot % Tables::word_slots) : 0;
    Atomics::release_fence();  // what was written to the block comes before what its next owner writes
    const Word mine = lanes.is_whole() ? gather(lanes.whole(), word, bit) : gather(lanes, word, bit);
    if (mine != 0) release(word, mine, slab);
  }

  /// See SizedHandle.
  KOKKOS_FUNCTION std::size_t usable_size(const void* pointer) const {
    const auto offset = static_cast<std::size_t>(static_cast<const std::byte*>(pointer) - tables_.pool);
    const auto slab = static_cast<unsigned>(offset >> tables_.slab_shift);
    const unsigned size_class = Atomics::load(&tables_.slab_class(Platform::home() % Tables::copies, slab));
    return size_class < tables_.class_count ? tables_.sizes[size_class].bytes
                                            : SlabRuns<Platform>(tables_).bytes(slab);
  }

 private:
  using Attempt = typename SlabReservations<Platform>::Attempt;
  static constexpr int none = -1;  ///< no slot, or none yet
  static constexpr int max_turns = 3;
  static constexpr unsigned max_reach = 4, few_words = 32;

  KOKKOS_FUNCTION static unsigned words_of(std::uint32_t slots) {
    return (slots + Tables::word_slots - 1) / Tables::word_slots;
  }
  /// A place below 2 * words, counted on from the first word behind the last.
  KOKKOS_FUNCTION static unsigned wrapped(unsigned place, unsigned words) {
    return place < words ? place : place - words;
  }

  KOKKOS_FUNCTION std::byte* slot_data(const SlabClass& size, unsigned slab, int slot) const {
    return tables_.slab_data(slab) + static_cast<std::size_t>(slot) * size.bytes;
  }

  KOKKOS_FUNCTION void* refused() const {
    const Lanes lanes = Lanes::here();
    if (lanes.lane() == lanes::bits::lowest(lanes.mask())) count_failures(lanes::bits::count(lanes.mask()));
    return nullptr;
  }

  /// What this lane is to free: lanes with slots of the same word leave them to one of them, where that takes
  /// a few turns. bit = 0: nothing of this one. All lanes call.
  template <class Group>
  KOKKOS_FUNCTION static Word gather(const Group& lanes, std::uint32_t word, Word bit) {
    Word mine = bit;
    bool active = bit != 0;
    Mask left = lanes.ballot(active);
    HALOHEAP_KEEP_LOOP
    for (int turn = 0; turn < max_turns && left != 0; ++turn) {
      const unsigned leader = lanes::bits::lowest(left);
      const std::uint32_t leading = lanes.shuffle(word, leader);  // all call, also those that are not active
      const bool same = active && word == leading;
      const auto all = static_cast<Word>(lanes.reduce_or(same ? bit : Word{0}));
      if (same) mine = lanes.lane() == leader ? all : 0;
      if (same) active = false;
      left = lanes.ballot(active);
      if (lanes::bits::count(all) == 1) break;  // there will hardly be others
    }
    return mine;
  }

  template <class Group>
  KOKKOS_FUNCTION static bool all_alike(const Group& lanes, unsigned size_class) {
    const unsigned first = lanes.shuffle(size_class, lanes::bits::lowest(lanes.mask()));
    return lanes.ballot(size_class != first) == 0;
  }

  /// The short way for lanes that all want the same class, by what is most often so: a slab of which there is
  /// plenty, and slots in a row; not where slots are scarce, and what is taken in vain would be missed. The
  /// lane's slot; none: if there is a promise, its slot is elsewhere, and if not, the first lane's attempt
  /// needs to be settled.
  template <class Group>
  KOKKOS_FUNCTION int quick(const Group& lanes, unsigned size_class, const SlabClass& size, bool scarce,
                            Attempt& attempt, Reservation& promised) const {
    const unsigned leader = lanes::bits::lowest(lanes.mask());
    const int wanted = lanes::bits::count(lanes.mask());
    if (lanes.lane() == leader && !scarce)
      attempt = SlabReservations<Platform>(tables_).take_own(size_class, size, wanted);
    const int free = lanes.shuffle(attempt.plenty ? SlabState::free(attempt.before) : 0, leader);
    if (free == 0) return none;
    promised = {lanes.shuffle(attempt.slab, leader), free};
    return claim_row(lanes, promised.slab, static_cast<int>(size.slots) - free);
  }

  /// Slots of a slab from `first` on, a lane each: the lane's slot, or none if another has it. All lanes
  /// call.
  template <class Group>
  KOKKOS_FUNCTION int claim_row(const Group& lanes, unsigned slab, int first) const {
    const auto rank = lanes.rank(), slot = static_cast<unsigned>(first) + rank;
    const unsigned bit = slot % Tables::word_slots;
    Word before = 0;
    if (rank == 0 || bit == 0)
      before = Atomics::fetch_or(
          &tables_.slab_words(slab)[slot / Tables::word_slots],
          lanes::bits::low<Word>(static_cast<unsigned>(lanes::bits::count(lanes.mask())) - rank) << bit);
    // The word was changed by the lane that has its lowest slot, or the row's first.
    before = lanes.shuffle(before, lanes.with_rank(rank < bit ? 0 : rank - bit));
    // No fence: all that a lane does with its slot waits for this answer.
    return (before >> bit & 1) == 0 ? static_cast<int>(slot) : none;
  }

  /// The lanes with the same size class.
  KOKKOS_FUNCTION static Mask alike(const Lanes& lanes, unsigned size_class) {
    return all_alike(lanes, size_class) ? lanes.mask() : lanes.match(size_class);
  }

  /// What the group's first lane was promised, for all lanes of the group, as far as it goes. `claimed`:
  /// `slot` is what this lane has got of it by the guess. All lanes call; nullptr for those that get nothing.
  KOKKOS_FUNCTION std::byte* share(const Lanes& lanes, Mask group, unsigned size_class, Reservation& promised,
                                   bool claimed = false, int slot = none) const {
    const unsigned leader = group == 0 ? lanes.lane() : lanes::bits::lowest(group);
    promised.slab = lanes.shuffle(promised.slab, leader);
    promised.free = lanes.shuffle(promised.free, leader);
    const int rank = lanes::bits::count(group & lanes::group::below(lanes));
    const int got = Kokkos::min(promised.free, lanes::bits::count(group));
    const bool mine = group != 0 && rank < got;
    const SlabClass size = tables_.sizes[size_class];
    if (!claimed) slot = claim(lanes, group, promised, size, mine ? rank : -1, got);
    const Mask seeking = group & lanes.ballot(mine && slot < 0);
    if (lanes.ballot(seeking != 0) != 0)
      walk(lanes, mine && slot < 0 ? seeking : 0, promised.slab, size.slots, slot);
    return slot < 0 ? nullptr : slot_data(size, promised.slab, slot);
  }

  /// For those lanes of a group that have no block yet: in turn all together and each for itself, since where
  /// one slab has not enough for all, few will have; and mostly each for itself where slabs are all that are
  /// left. All lanes call; left = 0: nothing for this one.
  KOKKOS_FUNCTION void insist(const Lanes& lanes, Mask left, unsigned size_class, std::byte*& block) const {
    const SlabReservations<Platform> reservations(tables_);
    const bool scarce = lanes.ballot(SlabSupply<Platform>(tables_).seemed_exhausted()) != 0;
    for (unsigned turn = 1; lanes.ballot(left != 0) != 0; ++turn) {
      const bool together = scarce ? turn % 4 == 0 : turn % 2 == 1;
      const Mask asking = together ? left : left & Mask{1} << lanes.lane();
      Reservation promised;
      if (asking != 0 && lanes.lane() == lanes::bits::lowest(asking))
        promised = together ? reservations.search(size_class, lanes::bits::count(asking))
                            : reservations.guess(size_class, 1);
      std::byte* const got = share(lanes, asking, size_class, promised);
      if (got != nullptr) block = got;
      const bool goes_on = left != 0 && got == nullptr && !(together && promised.free <= 0);
      left = goes_on ? left : 0;
      left &= lanes.ballot(goes_on);
    }
  }

  /// Makes promised slots this lane's own, by the guess; its number, or -1 if another has it. All lanes call;
  /// rank < 0: nothing for this one.
  template <class Group>
  KOKKOS_FUNCTION int claim(const Group& lanes, Mask waiting, const Reservation& promised,
                            const SlabClass& size, int rank, int got) const {
    const int guess = static_cast<int>(size.slots) - promised.free + rank;
    const unsigned bit = static_cast<unsigned>(guess) % Tables::word_slots;
    const bool first = rank == 0 || (rank > 0 && bit == 0);  // of those whose guesses share a word
    Word before = 0;
    if (first) {
      const auto together = static_cast<unsigned>(got - rank);
      before =
          Atomics::fetch_or(&tables_.slab_words(promised.slab)[guess / static_cast<int>(Tables::word_slots)],
                            lanes::bits::low<Word>(together) << bit);
    }
    const Mask firsts =
        lanes.ballot(first) & waiting & (lanes::group::below(lanes) | Mask{1} << lanes.lane());
    before = lanes.shuffle(before, rank < 0 ? lanes.lane() : lanes::bits::highest(firsts));
    if (rank < 0) return -1;
    // No fence: all that a lane does with its slot waits for this answer.
    return (before >> bit & 1) == 0 ? guess : -1;
  }

  /// For those lanes of a group whose guesses were taken: slots of the slab in which each is promised one.
  /// Each lane looks at a word, and what one has found another may need: in words in a row from a random one
  /// on, since the guesses leave long runs of full words behind them; in the end in all. All lanes call;
  /// seeking = 0: nothing for this one. A lane that gets none has given its promise back.
  KOKKOS_FUNCTION void walk(const Lanes& lanes, Mask seeking, unsigned slab, std::uint32_t slots,
                            int& slot) const {
    const unsigned words = words_of(slots);
    const unsigned random_looks = words <= few_words ? 1 : 32;
    lanes::LaneRandom random(Platform::entropy(), lanes.lane());
    unsigned first = 0, covered = 0;
    for (unsigned look = 0; lanes.ballot(seeking != 0) != 0; ++look) {
      const auto seekers = static_cast<unsigned>(lanes::bits::count(seeking));
      const auto rank = static_cast<unsigned>(lanes::bits::count(seeking & lanes::group::below(lanes)));
      const unsigned next = look < random_looks ? random.below(words) : (first + covered) % words;
      first = lanes.shuffle(next, seeking == 0 ? lanes.lane() : lanes::bits::lowest(seeking));
      // It is the waiting for words that takes the time: few lanes read several at once, if one was not
      // enough.
      const unsigned reach = look < 2 || seekers > 8 ? 1 : max_reach;
      covered = Kokkos::min(words, seekers * reach);
      unsigned number = 0;
      Word free = seeking == 0 ? 0 : first_free(slab, slots, first, rank * reach, covered, reach, number);
      if (free != 0) slot = claim_one(slab, number, free);
      share_found(lanes, seeking, slab, number, free, slot);
      const bool missed = seeking != 0 && slot < 0;
      // One round finds it, but for slots that move behind the walker's back.
      const bool gives_up = missed && look > random_looks + 2 * words + 256;
      if (gives_up) SlabReservations<Platform>(tables_).give_back(slab, 1);
      const bool goes_on = missed && !gives_up;
      seeking = goes_on ? seeking : 0;
      seeking &= lanes.ballot(goes_on);
    }
  }

  /// The first of `reach` words from `first + begin` on that has free slots, up to `first + end`; these wrap
  /// round behind the slab's last.
  KOKKOS_FUNCTION Word first_free(unsigned slab, std::uint32_t slots, unsigned first, unsigned begin,
                                  unsigned end, unsigned reach, unsigned& number) const {
    const unsigned words = words_of(slots);
    Word free[max_reach];
    for (unsigned w = 0; w < max_reach; ++w) {
      const unsigned at = wrapped(first + begin + w, words);
      free[w] = w < reach && begin + w < end ? ~Atomics::load(&tables_.slab_words(slab)[at]) &
                                                   lanes::bits::low<Word>(slots - at * Tables::word_slots)
                                             : 0;
    }
    for (unsigned w = 0; w < max_reach; ++w)
      if (free[w] != 0) {
        number = wrapped(first + begin + w, words);
        return free[w];
      }
    return 0;
  }

  /// The lowest of the free slots of a word if nobody was faster, or -1; it is not free any more.
  KOKKOS_FUNCTION int claim_one(unsigned slab, unsigned number, Word& free) const {
    const unsigned bit = lanes::bits::lowest(free);
    free &= free - 1;
    const Word before = Atomics::fetch_or(&tables_.slab_words(slab)[number], Word{1} << bit);
    return (before >> bit & 1) != 0 ? -1 : static_cast<int>(number * Tables::word_slots + bit);
  }

  /// What lanes of the group have found and do not need themselves: the first lane that still seeks gets the
  /// first slot, and so on, in rounds.
  KOKKOS_FUNCTION void share_found(const Lanes& lanes, Mask seeking, unsigned slab, unsigned number,
                                   Word free, int& slot) const {
    for (;;) {
      const bool seeks = seeking != 0 && slot < 0;
      const Mask has = seeking & lanes.ballot(free != 0), need = seeking & lanes.ballot(seeks);
      if (lanes.ballot(has != 0 && need != 0) == 0) return;
      const auto [gives, receives, from] = lanes::group::exchange(lanes, has, need);
      const unsigned word = lanes.shuffle(number, from);
      Word offered = lanes.shuffle(free & (~free + 1), from);
      if (gives) free &= free - 1;
      if (receives) slot = claim_one(slab, word, offered);
    }
  }

  /// Slots of one word become free: first their bits, then their number, since a reservation promises a bit.
  KOKKOS_FUNCTION void release(std::uint32_t word, Word slots, unsigned slab) const {
    const Word before = Atomics::fetch_and(&tables_.words[word], ~slots);
    // No fence: what is added depends on the answer.
    SlabReservations<Platform>(tables_).give_back(slab, lanes::bits::count(before & slots));
  }

  KOKKOS_FUNCTION void* allocate_run(std::size_t bytes) const {
    void* const block = SlabRuns<Platform>(tables_).allocate(bytes);
    if (block == nullptr) count_failures(1);
    return block;
  }

  KOKKOS_FUNCTION void count_failures(int count) const {
    FailureCounters<Platform>(tables_.failures).add(Platform::home(), static_cast<unsigned>(count));
  }

  Tables tables_;
};

}  // namespace haloheap::allocators::detail

#endif
