// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/messages/collective_set.hpp>
#include <haloheap/comm/paths/host/messages/dist_graph.hpp>
#include <haloheap/comm/paths/host/messages/wire_messages.hpp>

namespace haloheap::comm::detail {
namespace {

/// The same ranks by their numbers in another communicator.
std::vector<int> translate(const std::vector<int>& ranks, MPI_Comm from, MPI_Comm to) {
  MPI_Group group_from = MPI_GROUP_NULL, group_to = MPI_GROUP_NULL;
  check_mpi(MPI_Comm_group(from, &group_from), "MPI_Comm_group");
  check_mpi(MPI_Comm_group(to, &group_to), "MPI_Comm_group");
  std::vector<int> result(ranks.size());
  check_mpi(MPI_Group_translate_ranks(group_from, static_cast<int>(ranks.size()), ranks.data(), group_to,
                                      result.data()),
            "MPI_Group_translate_ranks");
  check_mpi(MPI_Group_free(&group_from), "MPI_Group_free");
  check_mpi(MPI_Group_free(&group_to), "MPI_Group_free");
  return result;
}

/// What MPI wants to know of one buffer: a part for each edge of the graph.
struct Parts {
  std::vector<int> counts;
  std::vector<MPI_Aint> offsets;
  std::vector<MPI_Datatype> types;

  void add(const WirePart& part, const std::byte* buffer) {
    counts.push_back(part.count);
    offsets.push_back(static_cast<MPI_Aint>(part.data - buffer));
    types.push_back(part.type);
  }
};

class DistGraphMessages final : public CollectiveSet {
 public:
  explicit DistGraphMessages(const MessageSetup& setup)
      : CollectiveSet(setup), wire_(setup), send_(setup.send), receive_(setup.receive) {
    std::vector<int> peers;
    for (std::size_t m = 0; m < setup.messages.size(); ++m) {
      sends_.add(wire_.send(m), send_);
      receives_.add(wire_.receive(m), receive_);
      peers.push_back(setup.messages[m].peer);
    }
    const MPI_Comm all = setup.communicator.get();
    MPI_Comm talkers = MPI_COMM_NULL, graph = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(all, peers.empty() ? MPI_UNDEFINED : 0, 0, &talkers), "MPI_Comm_split");
    if (talkers == MPI_COMM_NULL) return;
    const std::vector<int> edges = translate(peers, all, talkers);
    const int degree = static_cast<int>(edges.size());
    // The adjacent form, without reordering, of a communicator without a topology: Open MPI before 5.0.11 may
    // hang in the general form and when it reorders, and mistakes the graph of a Cartesian communicator for
    // another one.
    check_mpi(MPI_Dist_graph_create_adjacent(talkers, degree, edges.data(), MPI_UNWEIGHTED, degree,
                                             edges.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph),
              "MPI_Dist_graph_create_adjacent");
    join(graph);
    check_mpi(MPI_Comm_free(&graph), "MPI_Comm_free");
    check_mpi(MPI_Comm_free(&talkers), "MPI_Comm_free");
  }

 private:
  void start_requests() override {
    if (members() == nullptr) return;
    check_mpi(MPI_Ineighbor_alltoallw(send_, sends_.counts.data(), sends_.offsets.data(), sends_.types.data(),
                                      receive_, receives_.counts.data(), receives_.offsets.data(),
                                      receives_.types.data(), members()->get(), requests()),
              "MPI_Ineighbor_alltoallw");
  }

  WireMessages wire_;
  const std::byte* send_;
  std::byte* receive_;
  Parts sends_, receives_;
};

}  // namespace

std::unique_ptr<MessageSet> make_dist_graph_messages(const MessageSetup& setup) {
  return std::make_unique<DistGraphMessages>(setup);
}

}  // namespace haloheap::comm::detail
