// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_RESERVATION_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_RESERVATION_HPP

#include <haloheap/allocators/slab_walk/slab_tables.hpp>

namespace haloheap {

/// Slots that are promised: how many, in which slab, but not which ones.
struct Reservation {
  std::uint32_t slab = 0;
  int free = 0;  ///< slots that the slab had before; none are promised if this is not above 0
};

/// Takes and gives back the right to slots, and moves slabs between size classes. One lane's work; all of it
/// lock-free.
template <class Platform>
class SlabReservations {
  using Atomics = typename Platform::Atomics;
  using Tables = SlabTables<Platform>;

 public:
  KOKKOS_FUNCTION explicit SlabReservations(const Tables& tables) : tables_(tables) {}

  /// At most `wanted` slots of the class: min(wanted, free) of the result. None when the heap is full.
  KOKKOS_FUNCTION Reservation reserve(unsigned size_class, int wanted, std::uint32_t start) const {
    ClassSlabs<Platform>& slabs = tables_.classes[size_class];
    for (unsigned attempt = 0; attempt < most_attempts; ++attempt) {
      unsigned slab = slabs.roomy.find(start);
      Growth growth = Growth::grown;
      if (slab == SlabSet<Platform>::none) {
        growth = grow(size_class, attempt);
        if (growth == Growth::grown) continue;
        slab = slabs.partial.find(start);
      }
      if (slab != SlabSet<Platform>::none) {
        const int free = take(slab, size_class, wanted);
        if (free > 0) return {slab, free};
      } else if (growth == Growth::impossible) {
        // Nobody is about to add a slab: what they added before can be found.
        Atomics::fence();
        if (slabs.partial.seems_empty()) return {};
      } else {
        Platform::pause();
      }
      start = bits::mix(start + 1);
    }
    return {};
  }

  /// `count` slots of a slab, which are free by now, may be reserved by others.
  KOKKOS_FUNCTION void give_back(unsigned slab, int count) const {
    const SlabState::Word before =
        Atomics::fetch_add(&tables_.states[slab].word, static_cast<SlabState::Word>(count));
    const unsigned size_class = SlabState::number(before);
    if (size_class >= tables_.class_count) return;  // a failed attempt on a slab that was taken away
    const int old = SlabState::free(before), now = old + count;
    const int slots = static_cast<int>(tables_.slots(size_class));
    if (old <= 0 && now > 0) tables_.classes[size_class].partial.insert(slab);
    if (old < many(slots) && now >= many(slots)) tables_.classes[size_class].roomy.insert(slab);
    if (now == slots) tables_.shared->empty.insert(slab);
  }

  /// Makes an empty slab of any class nobody's. none if there is no empty one.
  KOKKOS_FUNCTION unsigned take_empty(std::uint32_t start) const {
    auto& empty = tables_.shared->empty;
    for (unsigned slab = empty.find(start); slab != SlabSet<Platform>::none; slab = empty.find(start)) {
      if (retire(slab)) {
        empty.remove(slab);
        return slab;
      }
      empty.remove(slab);
      Atomics::fence();
      if (is_empty(Atomics::load(&tables_.states[slab].word))) empty.insert(slab);
    }
    return SlabSet<Platform>::none;
  }

  /// Gives a slab of nobody a class (with so many free slots), or takes it away.
  KOKKOS_FUNCTION void change_state(unsigned slab, SlabState::Word from, SlabState::Word to) const {
    // Not a store: others may have taken slots of it in vain and not given them back yet.
    Atomics::fetch_add(&tables_.states[slab].word, to - from);
  }

  KOKKOS_FUNCTION void count_used(int slabs) const {
    const std::uint32_t before = Atomics::fetch_add(&tables_.shared->used, static_cast<std::uint32_t>(slabs));
    if (slabs > 0)
      Atomics::fetch_max(&tables_.shared->high_water, before + static_cast<std::uint32_t>(slabs));
  }

 private:
  enum class Growth { grown, busy, impossible };
  static constexpr unsigned most_attempts = 4096;
  static constexpr unsigned patient_attempts = 256;  // then a lane grows the class whoever else does
  static constexpr std::uint32_t most_growing = 16;  // warps a class

  /// A slab counts as roomy from so many free slots on, and until a half of them are left.
  KOKKOS_FUNCTION static int many(int slots) { return slots >= 8 ? slots / 8 : 1; }

  KOKKOS_FUNCTION bool is_empty(SlabState::Word state) const {
    const unsigned size_class = SlabState::number(state);
    return size_class < tables_.class_count &&
           SlabState::free(state) == static_cast<int>(tables_.slots(size_class));
  }

  /// Free slots before the attempt; it has taken min(wanted, that) if that is above 0.
  KOKKOS_FUNCTION int take(unsigned slab, unsigned size_class, int wanted) const {
    const SlabState::Word before =
        Atomics::fetch_add(&tables_.states[slab].word, static_cast<SlabState::Word>(-std::int64_t{wanted}));
    const int free = SlabState::free(before);
    const bool mine = SlabState::number(before) == size_class;
    if (mine && free >= wanted) {
      const int few = many(static_cast<int>(tables_.slots(size_class))) / 2;
      if (free - wanted <= few && (free > few || free == wanted)) leave_sets(slab, size_class);
      return free;
    }
    give_back(slab, mine && free > 0 ? wanted - free : wanted);
    leave_sets(slab, size_class);
    return mine ? free : 0;
  }

  /// The slab has become full, or almost, or another class's: it is not to be found again. It stays if others
  /// have meanwhile given something back.
  KOKKOS_FUNCTION void leave_sets(unsigned slab, unsigned size_class) const {
    ClassSlabs<Platform>& slabs = tables_.classes[size_class];
    slabs.roomy.remove(slab);
    if (!has_free(slab, size_class, 1)) slabs.partial.remove(slab);
    Atomics::fence();
    if (has_free(slab, size_class, 1) && !slabs.partial.contains(slab)) slabs.partial.insert(slab);
    if (has_free(slab, size_class, many(static_cast<int>(tables_.slots(size_class)))))
      slabs.roomy.insert(slab);
  }

  KOKKOS_FUNCTION bool has_free(unsigned slab, unsigned size_class, int least) const {
    const SlabState::Word state = Atomics::load(&tables_.states[slab].word);
    return SlabState::number(state) == size_class && SlabState::free(state) >= least;
  }

  KOKKOS_FUNCTION Growth grow(unsigned size_class, unsigned attempt) const {
    ClassSlabs<Platform>& slabs = tables_.classes[size_class];
    const std::uint32_t growing = Atomics::load(&slabs.growing);
    // Loads only: when the heap is full, all lanes come here at once.
    if (tables_.shared->free.seems_empty() && tables_.shared->empty.seems_empty())
      return growing > 0 ? Growth::busy : Growth::impossible;
    if (growing >= most_growing && attempt < patient_attempts) return Growth::busy;
    Atomics::fetch_add(&slabs.growing, 1U);
    const unsigned slab = take_slab(Platform::entropy());
    if (slab != SlabSet<Platform>::none) {
      change_state(slab, SlabState::retired(),
                   SlabState::of(size_class, static_cast<int>(tables_.slots(size_class))));
      slabs.partial.insert(slab);
      slabs.roomy.insert(slab);
    }
    Atomics::fence();
    Atomics::fetch_add(&slabs.growing, ~0U);
    return slab != SlabSet<Platform>::none ? Growth::grown : Growth::busy;
  }

  KOKKOS_FUNCTION unsigned take_slab(std::uint32_t start) const {
    auto& free = tables_.shared->free;
    for (unsigned slab = free.find(start); slab != SlabSet<Platform>::none; slab = free.find(start))
      if (free.remove(slab)) {
        count_used(1);
        return slab;
      }
    return take_empty(start);
  }

  KOKKOS_FUNCTION bool retire(unsigned slab) const {
    const SlabState::Word state = Atomics::load(&tables_.states[slab].word);
    if (!is_empty(state) ||
        Atomics::compare_exchange(&tables_.states[slab].word, state, SlabState::retired()) != state)
      return false;
    ClassSlabs<Platform>& slabs = tables_.classes[SlabState::number(state)];
    slabs.roomy.remove(slab);
    slabs.partial.remove(slab);
    return true;
  }

  Tables tables_;
};

}  // namespace haloheap

#endif
