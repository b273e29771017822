// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATION_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATION_HPP

#include <haloheap/miniapp/problems/allocators/allocation_work.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>

namespace haloheap {

/// What a deck says about problem allocation.
struct AllocationSettings {
  AllocatorSettings allocator;
  Workload work;
  int blocks = 1, threads = 1;
  int repetitions = 1, warm_ups = 0;

  std::size_t total_threads() const {
    return static_cast<std::size_t>(blocks) * static_cast<std::size_t>(threads);
  }
  int runs() const { return warm_ups + repetitions; }
  std::size_t bytes() const { return static_cast<std::size_t>(work.n) * sizeof(float); }
};

/// @throws UsageError with the place in the deck, also where the allocator cannot serve requests of that size
/// or its pool has no room for them
AllocationSettings read_allocation(const deck::Deck& deck);

}  // namespace haloheap

#endif
