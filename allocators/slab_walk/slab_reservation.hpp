// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_RESERVATION_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_RESERVATION_HPP

#include <haloheap/allocators/slab_walk/slab_supply.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::allocators::detail {

/// Takes and gives back the right to slots. One lane's work; all of it lock-free.
///
/// What very many lanes read at once they queue up for, at some nanoseconds each, so that the short way reads
/// only what may be old, and one of many states.
template <class Platform>
class SlabReservations {
  using Atomics = typename Platform::Atomics;
  using Tables = SlabTables<Platform>;

 public:
  KOKKOS_FUNCTION explicit SlabReservations(const Tables& tables) : tables_(tables) {}

  /// What is known of the class here, as SlabHome::word; may be old.
  KOKKOS_FUNCTION std::uint32_t hint(unsigned size_class) const {
    return Atomics::load_stale(&tables_.home(size_class, Platform::home()).word);
  }

  /// Whether a home's word says that the heap is full for its class, and nothing was given back since.
  KOKKOS_FUNCTION bool is_full(std::uint32_t word) const {
    return (word & SlabHome::full) != 0 && (word & SlabHome::number) == version();
  }

  /// After a slab with `free` slots was found, although the home's word said that they are scarce: lanes may
  /// hope again.
  KOKKOS_FUNCTION void forget_scarcity(unsigned size_class, std::uint32_t hint, int free) const {
    if ((hint & SlabHome::looking) != 0 || free < tables_.sizes[size_class].many()) return;
    Atomics::compare_exchange(&tables_.home(size_class, Platform::home()).word, hint, 0U);
  }

  /// What a lane has taken in the hope that it is there.
  struct Attempt {
    SlabState::Word before = 0;  ///< the slab's state
    unsigned slab = SlabSet<Platform>::none;
    bool plenty = false;  ///< nothing remains to be done: there was enough, and more is left than little
  };

  /// `wanted` slots of the slab that is the calling warp's own by its number, so that a kernel whose warps
  /// all ask for as much fills every slab to the last slot. guess() must settle what is not plenty.
  KOKKOS_FUNCTION Attempt take_own(unsigned size_class, const SlabClass& size, int wanted) const {
    const std::uint32_t inverse = Atomics::load_stale(&tables_.classes[size_class].count.inverse);
    const std::uint32_t count = known_count(size_class);
    if (count == 0) return {};
    const unsigned slab = known_at(size_class, SlabCount::place(Platform::warp(), inverse, count));
    if (slab >= tables_.slabs) return {};
    const SlabState::Word before = subtract(slab, wanted);
    const int free = SlabState::free(before);
    return {before, slab, SlabState::number(before) == size_class && free > size.few() + wanted};
  }

  /// At most `wanted` slots of the class: min(wanted, free) of the result, from one of a few slabs. None if
  /// they have none. `attempt`: what take_own() took already. `own`: the warp's own slab comes first.
  KOKKOS_FUNCTION Reservation guess(unsigned size_class, int wanted, const Attempt& attempt = {},
                                    bool own = false) const {
    const SlabClass size = tables_.sizes[size_class];
    const std::uint32_t count = known_count(size_class);
    const unsigned guesses = count == 0 ? 0 : count >= choice_count ? max_choices : max_guesses;
    std::uint32_t random = lanes::bits::mix(Platform::entropy());
    const int enough = size.few() + 1;
    bool taken = attempt.slab != SlabSet<Platform>::none;
    HALOHEAP_KEEP_LOOP
    for (unsigned i = 0; taken || i < guesses; ++i, own = false, random = lanes::bits::mix(random + 1)) {
      unsigned slab = taken ? attempt.slab : known(size_class, random, count);
      int minimum = enough;
      if (!taken && count >= choice_count) {
        // Of two the one with more: it fills all evenly, however many lanes choose at once. With fewer slabs
        // so many lanes would read the same state that it takes longer than it saves.
        if (own) slab = known_at(size_class, Platform::warp() % count);
        const unsigned other = known(size_class, lanes::bits::mix(random), count);
        const int free = free_slots(slab, size_class), others = free_slots(other, size_class);
        if (others > free && !(own && free >= wanted)) slab = other;
        // When there are no slabs for more, every slot counts.
        const bool counts =
            Kokkos::max(free, others) < enough && SlabSupply<Platform>(tables_).seemed_exhausted();
        minimum = counts ? 1 : enough;
        if (Kokkos::max(free, others) < minimum) continue;
      }
      if (slab >= tables_.slabs) continue;
      const SlabState::Word before = taken ? attempt.before : subtract(slab, wanted);
      taken = false;
      const int free = settle(before, slab, size_class, size, wanted, minimum);
      if (free > 0) return {slab, free};
    }
    return {};
  }

  /// The same in the long way, for one lane of a home at a time: it brings a slab that the others take from.
  /// None when the heap is full.
  KOKKOS_FUNCTION Reservation search(unsigned size_class, int wanted) const {
    const SlabClass size = tables_.sizes[size_class];
    std::uint32_t* const home = &tables_.home(size_class, Platform::home()).word;
    HALOHEAP_KEEP_LOOP
    for (unsigned attempt = 0; attempt < max_attempts; ++attempt) {
      const std::uint32_t old = Atomics::load(home);
      const bool waits = attempt % relaxed_attempts != relaxed_attempts - 1;
      if ((old & SlabHome::looking) != 0 && waits) {
        Platform::pause();
        continue;
      }
      if (is_full(old)) return {};
      const unsigned slab = (old & SlabHome::number) - 1;
      if ((old & SlabHome::full) == 0 && slab < tables_.slabs) {
        const int free =
            take(slab, size_class, size, wanted, (old & SlabHome::scarce) != 0 ? 1 : size.few() + 1);
        if (free > 0) return {slab, free};
      }
      if (Atomics::compare_exchange(home, old, old | SlabHome::looking) != old) continue;
      const Found found = look(size_class, size, wanted, !waits);
      Atomics::exchange(home, found.flags | found.reservation.slab);
      if (found.reservation.free > 0) return {found.reservation.slab - 1, found.reservation.free};
      if ((found.flags & SlabHome::full) != 0) return {};
    }
    return {};
  }

  /// After a reservation of `wanted` where `free` slots were: if a slab ran low, and few roomy ones are left,
  /// the class gets more before many lanes have to wait for them.
  KOKKOS_FUNCTION void grow_ahead(unsigned size_class, int free, int wanted) const {
    const int few = tables_.sizes[size_class].few();
    if (free <= few || free - wanted > few || !runs_low(tables_.classes[size_class])) return;
    bool full = false;
    if (!SlabSupply<Platform>(tables_).seems_exhausted()) grow(size_class, 0, false, full);
  }

  /// `count` slots of a slab, which are free by now, may be reserved by others.
  KOKKOS_FUNCTION void give_back(unsigned slab, int count) const {
    const SlabState::Word before =
        Atomics::fetch_add(&tables_.states[slab].word, static_cast<SlabState::Word>(count));
    const unsigned size_class = SlabState::number(before);
    if (size_class >= tables_.class_count) return;  // a failed attempt on a slab that was taken away
    const int old = SlabState::free(before), now = old + count;
    const SlabClass size = tables_.sizes[size_class];
    if (old <= 0 && now > 0) tables_.classes[size_class].partial.insert(slab);
    if (old < size.many() && now >= size.many()) tables_.classes[size_class].roomy.insert(slab);
    const bool empty = now == static_cast<int>(size.slots) && tables_.shared->empty.insert_once(slab);
    if (empty || (old <= 0 && now > 0)) SlabSupply<Platform>(tables_).announce_free();
  }

 private:
  static constexpr unsigned max_guesses = 2, max_choices = 3;
  static constexpr std::uint32_t choice_count = 512;  // slabs from which on it is worth to choose
  static constexpr unsigned full_looks = 32;
  static constexpr unsigned max_attempts = 1 << 20;
  static constexpr unsigned max_added = 64;
  static constexpr unsigned relaxed_attempts = 1024;  // then a lane does not wait for the one that looks

  KOKKOS_FUNCTION std::uint32_t known_count(unsigned size_class) const {
    return Kokkos::min(tables_.slabs, Atomics::load_stale(&tables_.classes[size_class].count.added));
  }
  /// A slab that was made the class's some time; it may be another's by now.
  KOKKOS_FUNCTION unsigned known(unsigned size_class, std::uint32_t any, std::uint32_t count) const {
    return known_at(size_class, static_cast<std::uint32_t>(std::uint64_t{any} * count >> 32));
  }
  KOKKOS_FUNCTION unsigned known_at(unsigned size_class, std::uint32_t place) const {
    return Atomics::load_stale(&tables_.known_slabs(size_class)[place]) - 1U;
  }

  KOKKOS_FUNCTION int free_slots(unsigned slab, unsigned size_class) const {
    if (slab >= tables_.slabs) return 0;
    const SlabState::Word state = Atomics::load(&tables_.states[slab].word);
    return SlabState::number(state) == size_class ? SlabState::free(state) : 0;
  }

  /// What the lane that looks has found.
  struct Found {
    Reservation reservation;
    std::uint32_t flags = 0;  // of SlabHome
  };

  /// How often something was given back, as far as those who look for a full heap must know.
  KOKKOS_FUNCTION std::uint32_t version() const {
    return Atomics::load(&tables_.versions[Platform::home() % Tables::copies].count) & SlabHome::number;
  }

  /// A roomy slab, or else new slabs, or else slots that are hard to find. While there are plenty new ones
  /// come first: that a lane has to look means that many share what there is. The reservation's slab counts
  /// from 1; if the heap is full for this class, it is the version of now.
  KOKKOS_FUNCTION Found look(unsigned size_class, const SlabClass& size, int wanted, bool hurry) const {
    ClassSlabs<Platform>& slabs = tables_.classes[size_class];
    Atomics::fence();  // what this lane and its neighbours remember is too old
    const bool ample = SlabSupply<Platform>(tables_).is_ample();
    const std::uint32_t now = version();
    unsigned slab = ample ? SlabSet<Platform>::none : slabs.roomy.find(lanes::bits::mix(Platform::entropy()));
    int minimum = size.few() + 1;
    bool full = false;
    if (slab == SlabSet<Platform>::none) {
      const Reservation grown = grow(size_class, wanted, hurry, full);
      if (grown.free > 0) return {{grown.slab + 1, grown.free}, 0};
      if (ample) slab = slabs.roomy.find(lanes::bits::mix(Platform::entropy()));
    }
    if (slab == SlabSet<Platform>::none) {
      if (!hurry && !SlabSupply<Platform>(tables_).seems_exhausted()) {
        Platform::pause();  // others are about to bring slabs
        return {};
      }
      slab = slabs.partial.find(lanes::bits::mix(Platform::entropy()));
      minimum = 1;
    }
    if (slab != SlabSet<Platform>::none) {
      const int free = take(slab, size_class, size, wanted, minimum);
      if (free > 0) return {{slab + 1, free}, minimum == 1 ? SlabHome::scarce : 0};
      leave_sets(slab, size_class, size);
      return {{}, minimum == 1 ? SlabHome::scarce : 0};
    }
    if (full && stays_full(slabs, now)) return {{now, 0}, SlabHome::full};
    Platform::pause();
    return {{}, SlabHome::scarce};
  }

  /// Who tries in vain to take slots has them for a moment, and a slab that changes hands is in no set
  /// meanwhile; both announce what can be had again. A moment for that, so that nobody is refused for it; and
  /// then all members are looked at, since the sets' summaries may lack some.
  KOKKOS_FUNCTION bool stays_full(ClassSlabs<Platform>& slabs, std::uint32_t now) const {
    HALOHEAP_KEEP_LOOP
    for (unsigned i = 0; i < full_looks; ++i) {
      Platform::pause();
      if (version() != now) return false;
    }
    Atomics::fence();  // who was growing has published slabs of this class by now
    return tables_.shared->free.is_empty(tables_.slabs) && tables_.shared->empty.is_empty(tables_.slabs) &&
           slabs.partial.is_empty(tables_.slabs);
  }

  /// No slab is roomy, or not an eighth of them.
  KOKKOS_FUNCTION bool runs_low(const ClassSlabs<Platform>& slabs) const {
    return slabs.roomy.seems_words() <= Atomics::load_stale(&slabs.count.added) / (8 * 64);
  }

  /// New slabs for the class, unless others are bringing some. `full`: there are none, and nobody is.
  KOKKOS_FUNCTION Reservation grow(unsigned size_class, int wanted, bool hurry, bool& full) const {
    ClassSlabs<Platform>& slabs = tables_.classes[size_class];
    const SlabSupply<Platform> supply(tables_);
    if (Atomics::load(&tables_.shared->was_full) != 0 || supply.seems_exhausted()) {
      // From here on who gives something back counts it; what was given back before is seen now.
      if (Atomics::load(&tables_.shared->was_full) == 0) Atomics::exchange(&tables_.shared->was_full, 1U);
      Atomics::fence();
      if (supply.seems_exhausted()) {
        // In this order: who has taken a slab out of the supply is growing until others can find it.
        Atomics::fence();
        full = Atomics::load(&slabs.growing) == 0;
        return {};
      }
    }
    const bool ample = supply.is_ample();
    const std::uint32_t max_growing = 2 + Atomics::load(&slabs.count.added) / (ample ? 16 : 64);
    if (!hurry && Atomics::load(&slabs.growing) >= max_growing) return {};
    Reservation result;
    if ((Atomics::fetch_add(&slabs.growing, 1U) < max_growing || hurry) && (ample || runs_low(slabs)))
      result = supply.add_slabs(size_class, wanted, hurry ? 1 : max_added);
    Atomics::fence();
    Atomics::fetch_add(&slabs.growing, ~0U);
    return result;
  }

  /// Free slots before the attempt if they were `minimum` or more; then it has taken min(wanted, that).
  KOKKOS_FUNCTION int take(unsigned slab, unsigned size_class, const SlabClass& size, int wanted,
                           int minimum) const {
    return settle(subtract(slab, wanted), slab, size_class, size, wanted, minimum);
  }

  /// The state before.
  KOKKOS_FUNCTION SlabState::Word subtract(unsigned slab, int wanted) const {
    return Atomics::fetch_add(&tables_.states[slab].word,
                              static_cast<SlabState::Word>(-std::int64_t{wanted}));
  }

  /// The rest of take(), when the state was `before`.
  KOKKOS_FUNCTION int settle(SlabState::Word before, unsigned slab, unsigned size_class,
                             const SlabClass& size, int wanted, int minimum) const {
    const int free = SlabState::free(before);
    if (SlabState::number(before) != size_class || free < minimum) {
      give_back(slab, wanted);
      return 0;
    }
    if (free < wanted) give_back(slab, wanted - free);
    const bool left_few = free > size.few() && free - wanted <= size.few();
    if (left_few) SlabSupply<Platform>(tables_).leave_empty(slab);
    if (left_few || free <= wanted) leave_sets(slab, size_class, size);
    return free;
  }

  /// The slab has become full, or almost, or another class's: it is not to be found again. It stays if others
  /// have meanwhile given something back.
  KOKKOS_FUNCTION void leave_sets(unsigned slab, unsigned size_class, const SlabClass& size) const {
    ClassSlabs<Platform>& slabs = tables_.classes[size_class];
    const bool was_roomy = slabs.roomy.contains(slab) && slabs.roomy.remove(slab);
    const bool was_partial =
        free_slots(slab, size_class) < 1 && slabs.partial.contains(slab) && slabs.partial.remove(slab);
    if (!was_roomy && !was_partial) return;
    const int free = free_slots(slab, size_class);  // as new as what was removed, by the fences of the sets
    if (was_roomy && free >= size.many()) slabs.roomy.insert(slab);
    if (!was_partial || free < 1) return;
    slabs.partial.insert(slab);
    SlabSupply<Platform>(tables_).announce_free();
  }

  Tables tables_;
};

}  // namespace haloheap::allocators::detail

#endif
