// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_SETTINGS_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/problems/allocators/request_sizes.hpp>
#include <haloheap/miniapp/schema.hpp>

namespace haloheap {

/// What the threads do (deck: malloc.pattern).
enum class MallocPattern { allocate, allocate_free, free_at_once, churn, fill };

constexpr auto names_of(MallocPattern) {
  return name_table<MallocPattern>("pattern", {{MallocPattern::allocate, "allocate"},
                                               {MallocPattern::allocate_free, "allocate_free"},
                                               {MallocPattern::free_at_once, "free_at_once"},
                                               {MallocPattern::churn, "churn"},
                                               {MallocPattern::fill, "fill"}});
}

/// The heap before each repetition (deck: malloc.state).
enum class HeapStart { warm, cold };

constexpr auto names_of(HeapStart) {
  return name_table<HeapStart>("state", {{HeapStart::warm, "warm"}, {HeapStart::cold, "cold"}});
}

/// Warps that run side by side in the kernel that allocates (deck: malloc.occupancy).
enum class Occupancy { any, full };

constexpr auto names_of(Occupancy) {
  return name_table<Occupancy>("occupancy", {{Occupancy::any, "any"}, {Occupancy::full, "full"}});
}

/// Who asks (deck: malloc.callers): every thread of the kernel, or the first of each warp.
enum class MallocCallers { lanes, warps };

constexpr auto names_of(MallocCallers) {
  return name_table<MallocCallers>("callers",
                                   {{MallocCallers::lanes, "lanes"}, {MallocCallers::warps, "warps"}});
}

/// A deck's problem malloc_sweep.
struct MallocSettings {
  /// Of every GPU that there is so far. Nothing but what is measured rests on it.
  static constexpr int warp_threads = 32;

  AllocatorSettings allocator;
  MallocPattern pattern = MallocPattern::allocate_free;
  int threads = 0;        ///< that ask
  bool by_warps = false;  ///< each of them is the first of a warp, whose others do nothing
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

/// Adds the section malloc.
void add_malloc_keys(deck::Schema& schema);

}  // namespace haloheap

#endif
