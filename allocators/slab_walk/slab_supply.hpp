// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_SUPPLY_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_SUPPLY_HPP

#include <haloheap/allocators/slab_walk/slab_tables.hpp>
#include <haloheap/backend/pragma.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::allocators::detail {

/// Slots that are promised: how many, in which slab, but not which ones.
struct Reservation {
  std::uint32_t slab = 0;
  int free = 0;  ///< slots that the slab had before; none are promised if this is not above 0
};

/// Moves slabs between size classes. One lane's work; all of it lock-free.
template <class Platform>
class SlabSupply {
  using Atomics = typename Platform::Atomics;
  using Tables = SlabTables<Platform>;
  using Word = typename SlabSet<Platform>::Word;

 public:
  KOKKOS_FUNCTION explicit SlabSupply(const Tables& tables) : tables_(tables) {}

  /// Two loads only: when the heap is full, all lanes ask.
  KOKKOS_FUNCTION bool seems_exhausted() const {
    return tables_.shared->free.seems_empty() && tables_.shared->empty.seems_empty();
  }

  /// The same from what may be old.
  KOKKOS_FUNCTION bool seemed_exhausted() const {
    return tables_.shared->free.seemed_empty() && tables_.shared->empty.seemed_empty();
  }

  /// Whether hardly any slab is anybody's. A class may then have more than it needs: memory that nobody asks
  /// for costs less than lanes that wait for each other.
  KOKKOS_FUNCTION bool is_ample() const { return Atomics::load(&tables_.shared->used) < tables_.slabs / 16; }

  /// Gives the class slabs: of nobody, an eighth of what it has, while there are plenty a half, but no more
  /// than `maximum`; or else an empty one of another class. The first one's slots, `wanted` of them or all,
  /// are promised to the caller, so that nobody takes it away before it is used. None if there are no such
  /// slabs, or others were faster.
  KOKKOS_FUNCTION Reservation add_slabs(unsigned size_class, int wanted, unsigned maximum) const {
    const std::uint32_t has = Atomics::load(&tables_.classes[size_class].count.added);
    const unsigned slab = tables_.shared->free.find(Platform::entropy());
    if (slab == SlabSet<Platform>::none) {
      const unsigned empty = take_empty(Platform::entropy());
      if (empty == SlabSet<Platform>::none) return {};
      return install(size_class, empty / 64, Word{1} << (empty % 64), wanted);
    }
    const unsigned least = Kokkos::min(16U, tables_.slabs / 256);  // of one all lanes would change the state
    const unsigned more = is_ample() ? Kokkos::max(1 + has / 2, least) : 1 + has / 8;
    const Word some =
        lanes::bits::lowest_few(tables_.shared->free.word(slab / 64), Kokkos::min(maximum, more));
    const Word got = tables_.shared->free.remove(slab / 64, some);
    if (got == 0) return {};
    count_used(lanes::bits::count(got));
    return install(size_class, slab / 64, got, wanted);
  }

  /// Makes an empty slab of any class nobody's. none if there is no empty one.
  KOKKOS_FUNCTION unsigned take_empty(std::uint32_t start) const {
    auto& empty = tables_.shared->empty;
    for (unsigned slab = empty.find(start); slab != SlabSet<Platform>::none; slab = empty.find(start)) {
      if (!retire(slab)) {
        leave_empty(slab);
        continue;
      }
      empty.remove(slab);
      return slab;
    }
    return SlabSet<Platform>::none;
  }

  /// Of a slab that is not empty: it is not for others any more, unless all its slots have become free
  /// meanwhile. Not at the first slot that somebody takes, since it may be given back at once, but when only
  /// few are left, so that those who look for empty slabs do not find all that are full.
  KOKKOS_FUNCTION void leave_empty(unsigned slab) const {
    // What is removed may have been inserted just now: its state is as new, by the fences of the set.
    if (!tables_.shared->empty.contains(slab) || !tables_.shared->empty.remove(slab)) return;
    if (!is_empty(Atomics::load(&tables_.states[slab].word))) return;
    tables_.shared->empty.insert(slab);
    announce_free();
  }

  /// First what those who free look at; then, after a fence, the state.
  KOKKOS_FUNCTION void set_class(unsigned slab, std::uint32_t size_class) const {
    HALOHEAP_KEEP_LOOP
    for (unsigned copy = 0; copy < Tables::copies; ++copy)
      Atomics::store(&tables_.slab_class(copy, slab), static_cast<std::uint16_t>(size_class));
  }

  /// Not a store: others may have taken slots of the slab in vain and not given them back yet.
  KOKKOS_FUNCTION void change_state(unsigned slab, SlabState::Word from, SlabState::Word to) const {
    Atomics::fetch_add(&tables_.states[slab].word, to - from);
  }

  /// After slots or slabs have come to be found where they could not be for a moment, or were not free: the
  /// heap is not full any more. Whoever inserts into a set what others may take calls it afterwards; the way
  /// of most slots does not come by here.
  KOKKOS_FUNCTION void announce_free() const {
    // An operation, and not a load: either it sees that somebody looks whether the heap is full, or that
    // one's exchange sees it, and by this release and the fence behind the exchange what was given back.
    Atomics::release_fence();
    if (Atomics::latest(&tables_.shared->was_full) == 0) return;
    HALOHEAP_KEEP_LOOP
    for (unsigned copy = 0; copy < Tables::copies; ++copy) Atomics::add(&tables_.versions[copy].count, 1U);
  }

  KOKKOS_FUNCTION void count_used(int slabs) const {
    const std::uint32_t before = Atomics::fetch_add(&tables_.shared->used, static_cast<std::uint32_t>(slabs));
    if (slabs > 0)
      Atomics::fetch_max(&tables_.shared->high_water, before + static_cast<std::uint32_t>(slabs));
  }

 private:
  KOKKOS_FUNCTION bool is_empty(SlabState::Word state) const {
    const unsigned size_class = SlabState::number(state);
    return size_class < tables_.class_count &&
           SlabState::free(state) == static_cast<int>(tables_.sizes[size_class].slots);
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

  /// Slabs of one word of the sets, nobody's until now.
  KOKKOS_FUNCTION Reservation install(unsigned size_class, unsigned number, Word slabs, int wanted) const {
    const int slots = static_cast<int>(tables_.sizes[size_class].slots);
    const unsigned first = number * 64 + lanes::bits::lowest(slabs);
    HALOHEAP_KEEP_LOOP
    for (Word left = slabs; left != 0; left &= left - 1)
      set_class(number * 64 + lanes::bits::lowest(left), size_class);
    Atomics::fence();
    HALOHEAP_KEEP_LOOP
    for (Word left = slabs; left != 0; left &= left - 1) {
      const unsigned slab = number * 64 + lanes::bits::lowest(left);
      const int promised = slab == first ? Kokkos::min(wanted, slots) : 0;
      change_state(slab, SlabState::retired(), SlabState::of(size_class, slots - promised));
    }
    publish(size_class, number, slots <= wanted ? slabs & (slabs - 1) : slabs);
    const Word empty = wanted == 0 ? slabs : slabs & (slabs - 1);
    if (empty != 0) tables_.shared->empty.insert(number, empty);
    announce_free();  // of a slab that was on its way from one set to another nobody knew
    return {first, slots};
  }

  /// Lanes may find the slabs from here on.
  KOKKOS_FUNCTION void publish(unsigned size_class, unsigned number, Word slabs) const {
    if (slabs == 0) return;
    Atomics::fence();
    ClassSlabs<Platform>& of_class = tables_.classes[size_class];
    of_class.partial.insert(number, slabs);
    of_class.roomy.insert(number, slabs);
    const auto more = static_cast<std::uint32_t>(lanes::bits::count(slabs));
    std::uint32_t place = Atomics::fetch_add(&of_class.count.added, more);
    Atomics::store(&of_class.count.inverse, SlabCount::inverse_of(Kokkos::min(tables_.slabs, place + more)));
    HALOHEAP_KEEP_LOOP
    for (Word left = slabs; left != 0; left &= left - 1, ++place)
      Atomics::store(&tables_.known_slabs(size_class)[place % tables_.slabs],
                     static_cast<std::uint16_t>(number * 64 + lanes::bits::lowest(left) + 1));
  }

  Tables tables_;
};

}  // namespace haloheap::allocators::detail

#endif
