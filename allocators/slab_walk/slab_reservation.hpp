// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_RESERVATION_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_RESERVATION_HPP

#include <haloheap/allocators/slab_walk/slab_supply.hpp>

namespace haloheap {

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

  /// At most `wanted` slots of the class: min(wanted, free) of the result. None when the heap is full.
  KOKKOS_FUNCTION Reservation reserve(unsigned size_class, int wanted) const {
    const SlabClass size = tables_.sizes[size_class];
    const std::uint32_t added = Atomics::load_stale(&tables_.classes[size_class].added);
    const std::uint64_t count = Kokkos::min(tables_.slabs, added);
    std::uint32_t start = bits::mix(Platform::entropy());
    for (unsigned guess = 0; guess < most_guesses && count > 0; ++guess, start = bits::mix(start)) {
      const unsigned slab = Atomics::load_stale(&tables_.known_slabs(size_class)[start * count >> 32]) - 1;
      if (slab >= tables_.slabs) continue;
      const int free = take(slab, size_class, size, wanted, size.few() + 1);
      if (free > 0) return {slab, free};
    }
    return search(size_class, size, wanted, start);
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
    if (now == static_cast<int>(size.slots)) tables_.shared->empty.insert(slab);
  }

 private:
  static constexpr unsigned most_guesses = 2;
  static constexpr std::uint32_t most_growing = 2;  // warps a class
  static constexpr unsigned most_attempts = 4096;
  static constexpr unsigned patient_attempts = 256;  // then a lane grows the class whoever else does

  /// The long way: a roomy slab, or else new slabs, or else slots that are hard to find.
  KOKKOS_FUNCTION Reservation search(unsigned size_class, const SlabClass& size, int wanted,
                                     std::uint32_t start) const {
    ClassSlabs<Platform>& slabs = tables_.classes[size_class];
    Atomics::fence();  // what this lane and its neighbours remember is too old
    for (unsigned attempt = 0; attempt < most_attempts; ++attempt, start = bits::mix(start + 1)) {
      unsigned slab = slabs.roomy.find(start);
      int least = size.few() + 1;
      bool full = false;
      if (slab == SlabSet<Platform>::none) {
        const Reservation grown = grow(size_class, wanted, attempt, full);
        if (grown.free > 0) return grown;
        slab = slabs.partial.find(start);
        least = 1;
      }
      if (slab != SlabSet<Platform>::none) {
        const int free = take(slab, size_class, size, wanted, least);
        if (free > 0) return {slab, free};
        leave_sets(slab, size_class, size);
      } else if (full && slabs.partial.seems_empty()) {
        return {};
      } else {
        Platform::pause();
      }
    }
    return {};
  }

  /// New slabs for the class, unless others are bringing some. `full`: there are none, and nobody is.
  KOKKOS_FUNCTION Reservation grow(unsigned size_class, int wanted, unsigned attempt, bool& full) const {
    ClassSlabs<Platform>& slabs = tables_.classes[size_class];
    const SlabSupply<Platform> supply(tables_);
    if (supply.seems_exhausted()) {
      // In this order: who has taken a slab out of the supply is growing until others can find it.
      Atomics::fence();
      full = Atomics::load(&slabs.growing) == 0;
      return {};
    }
    const bool patient = attempt < patient_attempts;
    if (patient && Atomics::load(&slabs.growing) >= most_growing) return {};
    Reservation result;
    if ((Atomics::fetch_add(&slabs.growing, 1U) < most_growing || !patient) && slabs.roomy.seems_empty())
      result = supply.add_slabs(size_class, wanted);
    Atomics::fence();
    Atomics::fetch_add(&slabs.growing, ~0U);
    return result;
  }

  /// Free slots before the attempt if they were `least` or more; then it has taken min(wanted, that).
  KOKKOS_FUNCTION int take(unsigned slab, unsigned size_class, const SlabClass& size, int wanted,
                           int least) const {
    const SlabState::Word before =
        Atomics::fetch_add(&tables_.states[slab].word, static_cast<SlabState::Word>(-std::int64_t{wanted}));
    const int free = SlabState::free(before);
    if (SlabState::number(before) != size_class || free < least) {
      give_back(slab, wanted);
      return 0;
    }
    if (free < wanted) give_back(slab, wanted - free);
    const bool left_few = free > size.few() && free - wanted <= size.few();
    if (left_few || free <= wanted) leave_sets(slab, size_class, size);
    return free;
  }

  /// The slab has become full, or almost, or another class's: it is not to be found again. It stays if others
  /// have meanwhile given something back.
  KOKKOS_FUNCTION void leave_sets(unsigned slab, unsigned size_class, const SlabClass& size) const {
    ClassSlabs<Platform>& slabs = tables_.classes[size_class];
    const bool was_roomy = slabs.roomy.contains(slab) && slabs.roomy.remove(slab);
    const bool was_partial =
        !has_free(slab, size_class, 1) && slabs.partial.contains(slab) && slabs.partial.remove(slab);
    if (!was_roomy && !was_partial) return;
    Atomics::fence();
    if (was_partial && has_free(slab, size_class, 1)) slabs.partial.insert(slab);
    if (was_roomy && has_free(slab, size_class, size.many())) slabs.roomy.insert(slab);
  }

  KOKKOS_FUNCTION bool has_free(unsigned slab, unsigned size_class, int least) const {
    const SlabState::Word state = Atomics::load(&tables_.states[slab].word);
    return SlabState::number(state) == size_class && SlabState::free(state) >= least;
  }

  Tables tables_;
};

}  // namespace haloheap

#endif
