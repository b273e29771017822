// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_TRANSPORT_HPP
#define HALOHEAP_COMM_PATHS_TRANSPORT_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/paths/host/messages/message_bytes.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace haloheap {

/// The fields whose halos are exchanged, for transports that write into a neighbour's halo without a buffer.
struct HaloFields {
  std::array<void*, 2> data{};  ///< the two fields of a double-buffered run, or twice the same
  FieldLayout layout;
  std::vector<std::vector<std::vector<Box>>> receive;  ///< [round][message]: the boxes that a peer fills
};

struct TransportSetup {
  const Communicator& communicator;
  std::vector<RoundBytes> rounds;
  std::shared_ptr<MemoryResource>
      buffers;                         ///< device-accessible: what pack kernels write and unpack kernels read
  double timeout = 60;                 ///< seconds of silence after which a peer counts as lost
  HaloFields fields = {};              ///< for transports that use no buffers
  std::string mpi = "persistent";      ///< a name from message_modes()
  Topology topology = {};              ///< whose neighbours the peers are
  Exchange exchange = Exchange::sync;  ///< sync: the rounds are those of dimension 0, 1 and 2
  bool force_gpu_aware = false;        ///< do not believe MPI when it says that it cannot take device memory
};

/// A neighbour's halo as this rank's kernels see it.
struct RemoteHalo {
  std::array<void*, 2> data{};  ///< the neighbour's fields, mapped
  FieldLayout layout;
  std::vector<Box> boxes;  ///< the n-th takes the n-th box that this rank sends
  /// Where narrow boxes of the message go instead, packed, when the field is data[0] or data[1].
  std::array<std::byte*, 2> buffer{};
};

struct PeerSignals;

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

  /// Transports without a host in the loop: the signals that kernels raise and await, one line a message,
  /// round by round. Then wait_fetched and transfer do nothing.
  virtual const PeerSignals* signals() const { return nullptr; }
  /// @throws CommunicationError if a device has given up waiting for a peer
  virtual void check() const {}

  /// Of such transports, those whose values do not arrive where kernels read them: `fetch` must not run
  /// before the peers are ready, nor `place` before their values have come, so that kernels wait for both
  /// before these are enqueued.
  virtual bool stages() const { return false; }

  /// Transports that store into `remote` instead of send_buffer, and unpack but narrow boxes.
  virtual bool stores() const { return false; }
  virtual const RemoteHalo& remote(int round, std::size_t message) const;
  /// Where such a transport's narrow boxes arrive, when the field is the first or the second.
  virtual std::array<std::byte*, 2> narrow_buffers(int round);
};

/// Which ranks a transport can join.
enum class Reach { any, node };

/// What passes a transport's messages.
enum class Carrier {
  mpi,      ///< MPI, in the way of TransportSetup::mpi
  host,     ///< copies through host memory that the ranks share
  devices,  ///< the devices themselves
};

/// Where a transport has packed bytes.
struct BufferPlaces {
  bool kernels = true;   ///< in TransportSetup::buffers
  std::string host;      ///< in this memory resource of the host; empty: not there
  int host_buffers = 2;  ///< sending and receiving, or one for both
};

/// A transport, with a way to pass its messages.
struct TransportInfo {
  std::string name;
  std::string help;
  std::unique_ptr<Transport> (*make)(TransportSetup setup);
  BufferPlaces places = {};
  Carrier carrier = Carrier::mpi;
  Reach reach = Reach::any;
  bool delivers = true;  ///< what was sent arrives; if not, the result of a run means nothing
  const TransportInfo* shared =
      nullptr;  ///< the same with TransportSetup::mpi = "shared"; null: cannot be had
};

/// All transports of this build.
const std::vector<TransportInfo>& transports();

/// The transport as it is with a way to pass messages, which only transports that use MPI heed.
/// @throws CapabilityError for a name that is not in transports(), listing those that are; for
/// mpi = "shared" where the transport cannot
const TransportInfo& transport_info(const std::string& name, const std::string& mpi = "persistent");

/// Collective. @throws CapabilityError for a name that is not in transports(), listing those that are, and
/// for what the transport, this machine or the MPI library cannot do
std::unique_ptr<Transport> make_transport(const std::string& name, TransportSetup setup);

}  // namespace haloheap

#endif
