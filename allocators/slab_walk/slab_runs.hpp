// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_RUNS_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_RUNS_HPP

#include <haloheap/allocators/slab_walk/slab_supply.hpp>

namespace haloheap::allocators::detail {

/// Large blocks: whole slabs, one after the other. One lane's work, without a lock: slabs are claimed from
/// low to high, and given back if one of them is lost to others.
template <class Platform>
class SlabRuns {
  using Atomics = typename Platform::Atomics;
  using Tables = SlabTables<Platform>;

 public:
  KOKKOS_FUNCTION explicit SlabRuns(const Tables& tables) : tables_(tables), supply_(tables) {}

  /// nullptr if there is no such run.
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    const std::size_t pool = static_cast<std::size_t>(tables_.slabs) << tables_.slab_shift;
    if (bytes > pool) return nullptr;
    const auto count = static_cast<unsigned>((bytes + tables_.slab_bytes() - 1) >> tables_.slab_shift);
    free_empty_slabs();
    unsigned first = 0, found = 0;
    HALOHEAP_KEEP_LOOP
    for (unsigned slab = 0; slab < tables_.slabs; ++slab) {
      if (!tables_.shared->free.contains(slab)) {
        found = 0;
      } else if (++found == count) {
        first = slab + 1 - count;
        if (claim(first, count)) return tables_.slab_data(first);
        found = 0;
      }
    }
    return nullptr;
  }

  /// Of several who give the same run back one gets its length, and the others nothing.
  KOKKOS_FUNCTION void deallocate(unsigned first) const {
    const unsigned count = Atomics::exchange(tables_.slab_words(first), 0U);
    change(first, count, SlabState::no_class, in_run(), SlabState::retired());
    supply_.count_used(-static_cast<int>(count));
    release(first, count);
    supply_.announce_free();
  }

  /// Of the run that begins with the slab.
  KOKKOS_FUNCTION std::size_t bytes(unsigned first) const {
    return static_cast<std::size_t>(Atomics::load(tables_.slab_words(first))) << tables_.slab_shift;
  }

 private:
  KOKKOS_FUNCTION static SlabState::Word in_run() {
    return SlabState::of(SlabState::run_class, SlabState::nobody);
  }

  KOKKOS_FUNCTION void free_empty_slabs() const {
    bool any = false;
    HALOHEAP_KEEP_LOOP
    for (unsigned slab = supply_.take_empty(0); slab != SlabSet<Platform>::none;
         slab = supply_.take_empty(0)) {
      supply_.count_used(-1);
      release(slab, 1);
      any = true;
    }
    if (any) supply_.announce_free();  // on its way from one set to the other nobody knew of a slab
  }

  KOKKOS_FUNCTION bool claim(unsigned first, unsigned count) const {
    HALOHEAP_KEEP_LOOP
    for (unsigned slab = first; slab < first + count; ++slab)
      if (!tables_.shared->free.remove(slab)) {
        release(first, slab - first);
        supply_.announce_free();
        return false;
      }
    supply_.count_used(static_cast<int>(count));
    Atomics::store(tables_.slab_words(first), count);  // its slots are nobody's: the word says how long it is
    Atomics::fence();                                  // before anybody sees that it is a run
    change(first, count, SlabState::run_class, SlabState::retired(), in_run());
    return true;
  }

  KOKKOS_FUNCTION void change(unsigned first, unsigned count, std::uint32_t size_class, SlabState::Word from,
                              SlabState::Word to) const {
    HALOHEAP_KEEP_LOOP
    for (unsigned slab = first; slab < first + count; ++slab) supply_.set_class(slab, size_class);
    Atomics::fence();
    HALOHEAP_KEEP_LOOP
    for (unsigned slab = first; slab < first + count; ++slab) supply_.change_state(slab, from, to);
  }

  KOKKOS_FUNCTION void release(unsigned first, unsigned count) const {
    HALOHEAP_KEEP_LOOP
    for (unsigned slab = first; slab < first + count; ++slab) tables_.shared->free.insert(slab);
  }

  Tables tables_;
  SlabSupply<Platform> supply_;
};

}  // namespace haloheap::allocators::detail

#endif
