// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_TRANSPORT_LIST_HPP
#define HALOHEAP_COMM_PATHS_TRANSPORT_LIST_HPP

#include <haloheap/comm/halo_problem.hpp>
#include <haloheap/comm/paths/halo_path.hpp>
#include <haloheap/core/base/registry.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace haloheap::comm {

/// Which ranks a transport can join.
enum class Reach { any, node };

/// What passes a transport's messages.
enum class Carrier {
  mpi,      ///< MPI, in the way of PathSetup::mpi
  host,     ///< copies through host memory that the ranks share
  devices,  ///< the devices themselves
};

/// Where a transport has packed bytes.
struct BufferPlaces {
  bool kernels = true;   ///< in PathSetup::buffers
  std::string host;      ///< in this memory resource of the host; empty: not there
  int host_buffers = 2;  ///< sending and receiving, or one for both
};

/// A transport: a path that can be chosen by name, with a way to pass its messages.
struct TransportInfo {
  std::string name;
  std::string help;
  std::unique_ptr<detail::HaloPath> (*make)(detail::PathSetup setup);
  BufferPlaces places = {};
  Carrier carrier = Carrier::mpi;
  Reach reach = Reach::any;
  bool needs_host = true;  ///< in every exchange, which thus cannot be recorded into a graph
  bool in_build = true;    ///< some need a library that not every build has
  bool delivers = true;    ///< what was sent arrives; if not, the result of a run means nothing
  const TransportInfo* shared = nullptr;  ///< the same with PathSetup::mpi = "shared"; null: cannot be had
};

/// What stands for a transport where each neighbour is to be served as it can be reached.
inline constexpr const char* automatic_transport = "auto";

/// All transports of this build.
const Registry<TransportInfo>& transports();

/// Why a named transport cannot pass its messages in that way; nothing if it can, or if there are no such
/// names.
std::optional<HaloProblem> transport_problem(std::string_view name, std::string_view mpi);

/// What the host does for messages besides passing them.
struct HostDuties {
  Packing packing = Packing::kernel;
  Corners corners = Corners::device;
};

/// Why a transport cannot have the host do that; nothing if it can, or if there are no such names.
std::optional<HaloProblem> host_problem(std::string_view name, std::string_view mpi,
                                        const HostDuties& duties);

/// The transport as it is with a way to pass messages, which only transports that use MPI heed.
/// @throws UsageError for a name that is not in transports(), listing those that are; CapabilityError for
/// mpi = "shared" where the transport cannot
const TransportInfo& transport_info(std::string_view name, std::string_view mpi = "persistent");

/// Collective. @throws UsageError for a name that is not in transports(), listing those that are;
/// CapabilityError for what the transport, this machine or the MPI library cannot do
std::unique_ptr<detail::HaloPath> make_path(const std::string& transport, detail::PathSetup setup);

}  // namespace haloheap::comm

#endif
