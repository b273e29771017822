// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_HPP

#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/problems/allocators/rank_collectives.hpp>

namespace haloheap {

/// What a deck says about problem collectives.
struct CollectivesSettings {
  AllocatorSettings allocator;
  Collective operation = Collective::alltoall;
  CollectiveMethod method = CollectiveMethod::collective;
  int blocks = 1, threads = 1;
  int doubles = 1;
  double timeout = 60;
  int repetitions = 1, warm_ups = 0;

  int runs() const { return warm_ups + repetitions; }
  int ranks() const { return blocks * threads; }
  /// How often a run does the operation: [Blach2022] does reduce and broadcast once before the one that is
  /// timed.
  int operations() const { return operation == Collective::alltoall ? 1 : 2; }
  /// Bytes of each of a rank's buffers.
  std::size_t buffer_bytes() const;
  /// Requests of all ranks in one run.
  std::size_t requests() const;
};

/// @throws UsageError with the place in the deck, also where the allocator cannot serve such buffers
CollectivesSettings read_collectives(const deck::Deck& deck);

/// @throws UsageError, naming how many there may be, if more blocks than `maximum` must be resident
void require_resident(const deck::Deck& deck, int maximum);

}  // namespace haloheap

#endif
