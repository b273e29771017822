// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/paths/route.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <functional>
#include <set>

namespace haloheap::comm {
namespace {

// What `auto` takes: see docs/results/2026-11_halos.md.
constexpr const char* within_node = "peer_store";

/// Kernels that run on the host write where MPI sends from: there is no other memory to copy from first.
std::string beyond_node(const std::string& mpi) {
  return backend::kernels_on_host && !transport_problem("mapped", mpi) ? "mapped" : "pinned";
}

HaloPlan filtered(const HaloPlan& plan, const std::function<bool(int peer)>& keep) {
  HaloPlan part{.exchange = plan.exchange, .messages_per = plan.messages_per, .rounds = {}};
  for (const HaloRound& round : plan.rounds) {
    part.rounds.emplace_back();
    for (const HaloMessage& message : round.messages)
      if (keep(message.peer)) part.rounds.back().messages.push_back(message);
  }
  return part;
}

std::set<int> peers_beyond(const HaloPlan& plan, const std::vector<int>& nodes, int rank) {
  std::set<int> far;
  for (const HaloRound& round : plan.rounds)
    for (const HaloMessage& message : round.messages)
      if (nodes[static_cast<std::size_t>(message.peer)] != nodes[static_cast<std::size_t>(rank)])
        far.insert(message.peer);
  return far;
}

void require_reach(const HaloPlan& plan, const TransportInfo& transport, const std::vector<int>& nodes,
                   int rank) {
  const std::set<int> far = peers_beyond(plan, nodes, rank);
  if (far.empty()) return;
  const bool shares = transport.carrier == Carrier::host;
  throw CapabilityError(
      fmt::format("transport '{}'{} does not leave a node, and rank {} has neighbours on others: {} {}",
                  transport.name, shares ? " with message mode shared" : "", rank,
                  far.size() == 1 ? "rank" : "ranks", fmt::join(far, ", ")),
      "",
      shares ? "use another message mode, persistent for instance"
             : "use transport auto, which serves each neighbour as it can be reached, or pinned");
}

}  // namespace

std::vector<const TransportInfo*> candidates(const std::string& transport, const std::string& mpi) {
  if (transport != automatic_transport) return {&transport_info(transport, mpi)};
  return {&transport_info(within_node, mpi), &transport_info(beyond_node(mpi), mpi)};
}

const std::string& without_mapping(const std::string& mpi) {
  return candidates(automatic_transport, mpi).back()->name;
}

std::vector<int> nodes_of(const Communicator& communicator, int ranks_per_node) {
  std::vector<int> nodes(static_cast<std::size_t>(communicator.size()));
  if (ranks_per_node > 0) {
    for (int rank = 0; rank < communicator.size(); ++rank)
      nodes[static_cast<std::size_t>(rank)] = rank / ranks_per_node * ranks_per_node;
    return nodes;
  }
  int first = communicator.rank();
  const Communicator node = communicator.node();
  check_mpi(MPI_Bcast(&first, 1, MPI_INT, 0, node.get()), "MPI_Bcast");
  check_mpi(MPI_Allgather(&first, 1, MPI_INT, nodes.data(), 1, MPI_INT, communicator.get()), "MPI_Allgather");
  return nodes;
}

std::vector<Route> make_routes(const Communicator& communicator, const HaloPlan& plan,
                               const std::string& transport, const std::string& mpi, int ranks_per_node) {
  const auto all = [](int) { return true; };
  if (transport != automatic_transport && transport_info(transport, mpi).reach == Reach::any)
    return {{transport, filtered(plan, all)}};
  const std::vector<int> nodes = nodes_of(communicator, ranks_per_node);
  const int rank = communicator.rank();
  const std::string farthest = transport == automatic_transport ? beyond_node(mpi) : transport;
  if (transport_info(farthest, mpi).reach == Reach::node)
    agree(communicator, [&] { require_reach(plan, transport_info(farthest, mpi), nodes, rank); });
  if (transport != automatic_transport) return {{transport, filtered(plan, all)}};
  const auto near = [&](int peer) {
    return nodes[static_cast<std::size_t>(peer)] == nodes[static_cast<std::size_t>(rank)];
  };
  std::vector<Route> routes{{within_node, filtered(plan, near)}};
  if (!communicator.all(peers_beyond(plan, nodes, rank).empty()))
    routes.push_back({beyond_node(mpi), filtered(plan, [&](int peer) { return !near(peer); })});
  return routes;
}

}  // namespace haloheap::comm
