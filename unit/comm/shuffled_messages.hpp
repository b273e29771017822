// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_SHUFFLED_MESSAGES_HPP
#define HALOHEAP_UNIT_COMM_SHUFFLED_MESSAGES_HPP

#include <cstddef>

/// An MPI library in a bad mood. Linked into a test, it holds sends and receives back and lets them go in a
/// random order, and keeps it to itself for a while that a request is complete. It stands in front of the MPI
/// library's own functions (PMPI), those that comm/messages calls.
namespace haloheap::testing {

/// What happened since the process started.
struct Shuffled {
  std::size_t requests = 0;      ///< that were started
  std::size_t out_of_order = 0;  ///< of them, started though one asked for earlier still had to wait
  std::size_t kept = 0;          ///< times that MPI_Test denied a request that was complete
  std::size_t arrival_orders =
      0;  ///< orders in which receives of a round became complete, beyond one for each set
};

/// While this lives, requests that are started here are shuffled. All must be complete when it ends.
class ShuffleMessages {
 public:
  explicit ShuffleMessages(unsigned seed);
  ~ShuffleMessages();
  ShuffleMessages(const ShuffleMessages&) = delete;
  ShuffleMessages& operator=(const ShuffleMessages&) = delete;
};

Shuffled shuffled();

/// Persistent requests that there are: made and not freed.
std::size_t persistent_requests();

}  // namespace haloheap::testing

#endif
