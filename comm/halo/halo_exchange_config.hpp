// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_HALO_EXCHANGE_CONFIG_HPP
#define HALOHEAP_COMM_HALO_HALO_EXCHANGE_CONFIG_HPP

#include <haloheap/comm/exchange.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace haloheap::comm {

/// How halos are sent.
struct HaloExchangeConfig {
  std::string transport = "auto";  ///< a name from transports(), or "auto": see make_routes
  std::string mpi = "persistent";  ///< a name from message_modes(), where MPI is used: of auto beyond a node
  bool force_gpu_aware = false;    ///< hand device pointers to MPI though its query says no
  int ranks_per_node = 0;          ///< pretend that so many ranks make a node; 0: ask MPI
  std::shared_ptr<memory::MemoryResource> buffers =
      nullptr;                        ///< where kernels pack, but for mapped and peer_store; null: device
  Packing packing = Packing::kernel;  ///< datatype: of transports with buffers of the host, not of auto
  Corners corners = Corners::device;  ///< host: the same; means nothing to Exchange::async
  double timeout = 60;                ///< seconds
  bool desynchronisation = false;     ///< time a barrier in each exchange, before its first message
  /// A promise that saves devices a handshake: between two exchanges nothing touches the halo of the field
  /// that is not exchanged first. True for single steps from one field to the other. Neighbours then store
  /// into that halo as soon as they begin the next exchange, however late this rank is: whoever writes there
  /// all the same (a new start value in the whole field, say) races with them, unless all ranks call
  /// HaloExchange::forget_last between these two exchanges.
  bool alternating = false;
};

/// Whether HaloExchangeConfig::mpi says how messages of this transport are passed; for "auto", those of some
/// neighbours. False for a name that there is not.
bool uses_message_mode(std::string_view transport);

}  // namespace haloheap::comm

#endif
