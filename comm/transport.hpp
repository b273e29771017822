// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_TRANSPORT_HPP
#define HALOHEAP_COMM_TRANSPORT_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace haloheap {

/// One message of one round, as byte ranges of the round's packed send and receive buffers.
struct MessageBytes {
  int peer = 0;
  std::size_t send_offset = 0, send_bytes = 0;
  std::size_t receive_offset = 0, receive_bytes = 0;
};

using RoundBytes = std::vector<MessageBytes>;

struct TransportSetup {
  const Communicator& communicator;
  std::vector<RoundBytes> rounds;
  std::shared_ptr<MemoryResource>
      buffers;          ///< device-accessible: what pack kernels write and unpack kernels read
  double timeout = 60;  ///< seconds of silence after which a peer counts as lost
};

/// How packed bytes travel. Transports differ in the way, never in what arrives.
///
/// For each round, in this order: `fetch` behind the pack kernel, `wait_fetched`, `transfer`, `place` before
/// the unpack kernel.
class Transport {
 public:
  using Exec = Kokkos::DefaultExecutionSpace;

  virtual ~Transport() = default;

  /// Where the pack kernel writes, and where the unpack kernel reads.
  virtual std::byte* send_buffer(int round) = 0;
  virtual const std::byte* receive_buffer(int round) = 0;

  /// Enqueues on `exec` whatever brings packed bytes to where they can be sent; does not wait for it.
  virtual void fetch(int round, const Exec& exec) = 0;
  /// Blocks this thread until what `fetch` enqueued is done, so that the device's time is not taken for the
  /// network's.
  virtual void wait_fetched(int round) = 0;
  /// Sends and receives; calls wait_fetched if nobody has; returns when the bytes have arrived and the send
  /// buffer may be packed again.
  /// @throws CommunicationError naming the silent peers after the time-out
  virtual void transfer(int round) = 0;
  /// Enqueues on `exec` whatever brings received bytes into the receive buffer; does not wait for it.
  virtual void place(int round, const Exec& exec) = 0;
};

struct TransportInfo {
  std::string name;
  std::string help;
  std::unique_ptr<Transport> (*make)(TransportSetup setup);
};

/// All transports of this build.
const std::vector<TransportInfo>& transports();

/// @throws CapabilityError for a name that is not in transports(), listing those that are
std::unique_ptr<Transport> make_transport(const std::string& name, TransportSetup setup);

}  // namespace haloheap

#endif
