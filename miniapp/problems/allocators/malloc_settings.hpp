// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_SETTINGS_HPP

#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_choices.hpp>
#include <haloheap/miniapp/problems/allocators/request_sizes.hpp>

namespace haloheap {

/// A deck's problem malloc_sweep.
struct MallocSettings {
  AllocatorSettings allocator;
  MallocPattern pattern = MallocPattern::allocate_free;
  int threads = 0;
  RequestSizes sizes;
  bool cold = false;
  bool full_occupancy = false;  ///< of the kernel that allocates, at the price of registers
  double free_share = 1;        ///< of the pool, at the start
  int rounds = 0;
  int held = 1;  ///< blocks of a thread; 1 but for churn
  int repetitions = 1, warm_ups = 0;
  bool verify = false;

  int blocks() const { return threads * held; }
};

/// Reads and checks everything that can be known without a device.
/// @throws UsageError with the place in the deck
MallocSettings read_malloc(const deck::Deck& deck);

}  // namespace haloheap

#endif
