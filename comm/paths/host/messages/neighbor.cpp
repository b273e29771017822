// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/paths/host/messages/collective_set.hpp>
#include <haloheap/comm/paths/host/messages/neighbor.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace haloheap::comm::detail {
namespace {

/// A line of ranks: those of the rank grid that differ in coordinate `dim` only, among which a round's
/// messages stay.
struct RankLine {
  Topology topology;
  int dim;

  int ranks() const { return static_cast<int>(topology.ranks[dim]); }
  /// Two ranks that are each other's low and high neighbour send one message each way, which is what an open
  /// line of two does. A ring of two would leave it to the library which of two slots a message arrives in.
  bool ring() const { return topology.periodic[dim] && ranks() > 2; }
  /// The same for all ranks of one line, and for no others.
  int colour() const {
    grid::Triple at = topology.coordinates;
    at[dim] = 0;
    return static_cast<int>(at.x + topology.ranks.x * (at.y + topology.ranks.y * at.z));
  }
  /// MPI's slots 0 (low) and 1 (high).
  int neighbour(int slot) const {
    Topology open = topology;
    open.periodic[dim] = ring();
    grid::Triple direction;
    direction[dim] = slot == 0 ? -1 : 1;
    return open.neighbour(direction);
  }
  int slot(int peer) const {
    for (const int slot : {0, 1})
      if (neighbour(slot) == peer) return slot;
    throw UsageError(
        fmt::format("rank {} is no neighbour of rank {} in {}", peer, topology.rank(), "xyz"[dim]),
        "message mode neighbor cannot carry messages between them", "use persistent or isend");
  }
};

/// A run of ranks of a line, each of which exchanges messages with the next; what a rank without messages is
/// not part of.
struct Run {
  int first = 0;     ///< coordinate
  int position = 0;  ///< of this rank
  int ranks = 1;
  bool closed = false;

  /// @param joined whether rank i of the line exchanges messages with rank i + 1, the last one with the first
  Run(const std::vector<int>& joined, int coordinate) : first(coordinate) {
    const int n = static_cast<int>(joined.size());
    const auto next = [&](int i) { return (i + 1) % n; };
    const auto before = [&](int i) { return (i + n - 1) % n; };
    const auto with_next = [&](int i) { return joined[static_cast<std::size_t>(i)] != 0; };
    closed = std::count(joined.begin(), joined.end(), 0) == 0;
    if (closed) {
      first = 0;
      position = coordinate;
      ranks = n;
      return;
    }
    for (; with_next(before(first)); first = before(first)) ++position;
    ranks = position + 1;
    for (int last = coordinate; with_next(last); last = next(last)) ++ranks;
  }
};

/// The part of a line that this rank exchanges messages in. Collective over `members`, the ranks of the line.
Run find_run(const Communicator& members, const RankLine& line, const RoundBytes& messages) {
  int joined = 0;
  for (const MessageBytes& message : messages)
    if (line.slot(message.peer) == 1) joined = 1;
  std::vector<int> all(static_cast<std::size_t>(members.size()));
  check_mpi(MPI_Allgather(&joined, 1, MPI_INT, all.data(), 1, MPI_INT, members.get()), "MPI_Allgather");
  return Run(all, static_cast<int>(line.topology.coordinates[line.dim]));
}

/// What MPI wants to know of one buffer.
struct Slots {
  std::array<int, 2> counts{}, offsets{};

  void set(int slot, std::size_t offset, std::size_t bytes) {
    counts[static_cast<std::size_t>(slot)] = static_cast<int>(bytes);
    offsets[static_cast<std::size_t>(slot)] = static_cast<int>(offset);
  }
};

class NeighborMessages final : public CollectiveSet {
 public:
  NeighborMessages(const MessageSetup& setup, const RankLine& line)
      : CollectiveSet(setup), send_(setup.send), receive_(setup.receive) {
    for (const MessageBytes& message : setup.messages) {
      sends_.set(line.slot(message.peer), message.send_offset, message.send_bytes);
      receives_.set(line.slot(message.peer), message.receive_offset, message.receive_bytes);
    }
    const Communicator in_line = setup.communicator.split(line.colour());
    const Run run = find_run(in_line, line, setup.messages);
    MPI_Comm together = MPI_COMM_NULL, cartesian = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(in_line.get(), run.first, run.position, &together), "MPI_Comm_split");
    const int closed = run.closed ? 1 : 0;
    check_mpi(MPI_Cart_create(together, 1, &run.ranks, &closed, 0, &cartesian), "MPI_Cart_create");
    if (!setup.messages.empty()) join(cartesian);
    check_mpi(MPI_Comm_free(&cartesian), "MPI_Comm_free");
    check_mpi(MPI_Comm_free(&together), "MPI_Comm_free");
  }

 private:
  void start_requests() override {
    if (members() == nullptr) return;
    check_mpi(MPI_Ineighbor_alltoallv(send_, sends_.counts.data(), sends_.offsets.data(), MPI_BYTE, receive_,
                                      receives_.counts.data(), receives_.offsets.data(), MPI_BYTE,
                                      members()->get(), requests()),
              "MPI_Ineighbor_alltoallv");
  }

  const std::byte* send_;
  std::byte* receive_;
  Slots sends_, receives_;
};

void require_line(const MessageSetup& setup) {
  const grid::Triple& ranks = setup.topology.ranks;
  if (ranks.x * ranks.y * ranks.z != setup.communicator.size() || setup.round > 2)
    throw UsageError(fmt::format("round {} on {} ranks is no dimension of a {} x {} x {} rank grid",
                                 setup.round, setup.communicator.size(), ranks.x, ranks.y, ranks.z),
                     "message mode neighbor cannot tell who is whose neighbour", "use persistent or isend");
}

}  // namespace

std::unique_ptr<MessageSet> make_neighbor_messages(const MessageSetup& setup) {
  require_line(setup);
  const RankLine line{setup.topology, setup.round};
  agree(setup.communicator, [&] {
    for (const MessageBytes& message : setup.messages) line.slot(message.peer);
  });
  return std::make_unique<NeighborMessages>(setup, line);
}

}  // namespace haloheap::comm::detail
