// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HALO_PATH_HPP
#define HALOHEAP_COMM_PATHS_HALO_PATH_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/kernels/halo_blocks.hpp>
#include <haloheap/comm/kernels/kernel_signals.hpp>
#include <haloheap/comm/kernels/packed_round.hpp>
#include <haloheap/comm/paths/message_bytes.hpp>
#include <haloheap/comm/phase_timer.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <Kokkos_Core.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace haloheap::comm::detail {

/// The fields whose halos are exchanged, for paths that write into a neighbour's halo without a buffer.
/// Without any, such a path takes all boxes packed.
struct HaloFields {
  std::vector<ForEachSet> data = {};    ///< a field
  std::vector<FieldShape> shapes = {};  ///< of those
  std::vector<std::vector<std::vector<grid::Box>>> receive =
      {};  ///< [round][message]: the boxes that a peer fills
};

/// What a path is made from.
struct PathSetup {
  const Communicator& communicator;
  std::vector<RoundBytes> rounds;
  std::shared_ptr<memory::MemoryResource>
      buffers;                         ///< device-accessible: what pack kernels write and unpack kernels read
  double timeout = 60;                 ///< seconds of silence after which a peer counts as lost
  HaloFields fields = {};              ///< for paths that use no buffers
  std::string mpi = "persistent";      ///< a name from message_modes()
  Topology topology = {};              ///< whose neighbours the peers are
  Exchange exchange = Exchange::sync;  ///< sync: the rounds are those of dimension 0, 1 and 2
  MessagesPer messages_per = MessagesPer::neighbour;
  std::vector<TypedRound> typed = {};  ///< a round; where MPI gathers what is sent. Empty: kernels pack it
  bool force_gpu_aware = false;        ///< do not believe MPI when it says that it cannot take device memory
};

/// What an exchange does, round by round, beside packing and unpacking. Its paths say so when it is made:
/// each adds what it has to do, where it has to do something.
struct HaloSteps {
  using Exec = backend::Exec;

  /// Brings what the kernels on `exec` before it pack to where it can be sent. Does not wait for them.
  using Stage = std::function<void(const Exec& exec)>;
  /// Sends it, or lets `End` do so if the host does it and it is not there yet: does not wait.
  /// @param end_follows without a pause, so that a kernel of `End` may tell the peers
  using Post = std::function<void(const Exec& exec, MessagePhases& phases, bool end_follows)>;
  /// What has been sent to this rank is where the kernels on `exec` after it unpack. Waits on the host for
  /// messages, and for nothing else.
  /// @throws CommunicationError naming the silent peers after the timeout
  using End = std::function<void(const Exec& exec, MessagePhases& phases)>;
  /// @throws CommunicationError if a device has given up waiting for a peer
  using Check = std::function<void()>;

  struct Round {
    std::vector<Stage> stage;  ///< behind the kernel that packs
    std::vector<Post> post;    ///< behind `stage`, and where ranks meet before messages behind that
    std::vector<End> end;      ///< before the kernel that unpacks
    bool host = false;         ///< any of them needs the host, so that a graph cannot hold it
  };

  explicit HaloSteps(std::size_t round_count) : rounds(round_count) {}

  std::vector<Round> rounds;
  std::vector<Check> checks;
  /// A round: what is copied from the buffers that the rounds before it have filled to its own, on the host.
  /// Rounds are numbered as the arrays of blocks. Nothing: rounds are forwarded by kernels.
  std::optional<std::vector<std::vector<BlockCopy>>> corners;
  std::optional<KernelSignals> signals;  ///< of the kernels; one path at most has them
};

/// How the halos of some neighbours are sent. Paths differ in the way, never in what arrives. All paths of an
/// exchange share one kernel that packs a round, and one that unpacks it.
class HaloPath {
 public:
  using Exec = backend::Exec;

  HaloPath() = default;
  HaloPath(const HaloPath&) = delete;
  HaloPath& operator=(const HaloPath&) = delete;
  virtual ~HaloPath() = default;

  /// Where those kernels write and read this path's values.
  virtual PathPlaces places() = 0;
  /// Adds what is to be done beside. Rounds in which this rank has no messages need nothing. The steps end
  /// before this path does.
  virtual void add_to(HaloSteps& steps) = 0;
};

}  // namespace haloheap::comm::detail

#endif
