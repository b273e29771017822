// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_HPP

#include <haloheap/allocators/ranks/collectives.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>

namespace haloheap {

using allocators::Collective;

/// Where messages are. Between two ranks: memory that the sender allocates and the receiver frees, each when
/// it gets to it. Collective: a buffer of each rank, which all allocate together before the operation and
/// free after it, and which the others read ([Blach2022], section 3.1: library functions that allocate).
enum class CollectiveMethod { collective, point_to_point };

constexpr auto names_of(CollectiveMethod) {
  return name_table<CollectiveMethod>("method", {{CollectiveMethod::collective, "collective"},
                                                 {CollectiveMethod::point_to_point, "point_to_point"}});
}

/// Requests of all ranks for messages, in one operation.
inline std::size_t message_requests(Collective operation, CollectiveMethod method, std::size_t ranks) {
  if (method == CollectiveMethod::collective) return ranks;
  return (ranks - 1) * (operation == Collective::alltoall ? ranks : 1);
}

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
