// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_ROUTE_HPP
#define HALOHEAP_COMM_PATHS_ROUTE_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/paths/transport_list.hpp>

#include <string>
#include <vector>

namespace haloheap::comm {

/// The part of a halo plan that is sent by one transport. All routes of a plan have all its rounds, some
/// of them perhaps without messages; copies of a rank onto itself are on none.
struct Route {
  std::string transport;
  HaloPlan plan;
};

/// What a name of a transport may stand for: that transport alone, or for "auto" those that it chooses from.
/// @param mpi how those pass messages that use MPI
/// @throws CapabilityError as transport_info
std::vector<const TransportInfo*> candidates(const std::string& transport, const std::string& mpi);

/// What "auto" takes for all neighbours where it turns out that ranks cannot map each other's memory.
/// @throws CapabilityError as transport_info
const std::string& without_mapping(const std::string& mpi);

/// The node of each rank, numbered by its first rank. Collective.
/// @param ranks_per_node pretend that so many ranks make a node; 0: ask MPI
std::vector<int> nodes_of(const Communicator& communicator, int ranks_per_node);

/// Which messages of this rank go by which transport. One route for a named transport; for "auto" neighbours
/// on this rank's node are served by one that stays within a node, and the others, if there are any, by one
/// that reaches everywhere. Collective: all ranks get the same transports in the same order.
/// @throws AgreedError if the transport does not reach a neighbour of any rank; it names them
std::vector<Route> make_routes(const Communicator& communicator, const HaloPlan& plan,
                               const std::string& transport, const std::string& mpi, int ranks_per_node);

}  // namespace haloheap::comm

#endif
