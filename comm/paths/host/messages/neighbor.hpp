// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MESSAGES_NEIGHBOR_HPP
#define HALOHEAP_COMM_PATHS_HOST_MESSAGES_NEIGHBOR_HPP

#include <haloheap/comm/paths/host/messages/message_set.hpp>

namespace haloheap::comm::detail {

/// One MPI_Ineighbor_alltoallv for each round of the sync exchange, among the ranks of one line of the rank
/// grid that exchange messages. Collective to make, over the communicator; to start, over those ranks.
/// @throws UsageError for an async exchange: a Cartesian communicator joins a rank with the neighbours across
/// its faces only
std::unique_ptr<MessageSet> make_neighbor_messages(const MessageSetup& setup);

}  // namespace haloheap::comm::detail

#endif
