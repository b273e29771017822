// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_HASH_JOIN_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_HASH_JOIN_HPP

#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/problems/allocators/join_tables.hpp>

namespace haloheap {

/// What a deck says about problem hash_join.
struct HashJoinSettings {
  AllocatorSettings allocator;
  JoinTables tables;
  int per_thread = 1;
  bool warp_lists = false;
  int repetitions = 1, warm_ups = 0;

  int runs() const { return warm_ups + repetitions; }
  std::size_t page_bytes() const { return allocator.config.page_bytes; }
};

/// @throws UsageError with the place in the deck, also where the allocator cannot serve such pages
HashJoinSettings read_hash_join(const deck::Deck& deck);

}  // namespace haloheap

#endif
