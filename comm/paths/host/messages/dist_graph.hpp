// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MESSAGES_DIST_GRAPH_HPP
#define HALOHEAP_COMM_PATHS_HOST_MESSAGES_DIST_GRAPH_HPP

#include <haloheap/comm/paths/host/messages/message_set.hpp>

namespace haloheap::comm::detail {

/// One MPI_Ineighbor_alltoallw for each round, over a distributed graph whose edges are the round's messages:
/// across faces, edges and corners, to any rank. Collective to make, over the communicator; to start, over
/// the ranks that have messages in the round.
std::unique_ptr<MessageSet> make_dist_graph_messages(const MessageSetup& setup);

}  // namespace haloheap::comm::detail

#endif
