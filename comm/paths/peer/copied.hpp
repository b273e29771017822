// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_PEER_COPIED_HPP
#define HALOHEAP_COMM_PATHS_PEER_COPIED_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/kernels/block_copies.hpp>
#include <haloheap/comm/paths/peer/peer_network.hpp>

namespace haloheap::comm::detail {

/// What the paths have in common whose copy engines write into the neighbours' memory: packed buffers for
/// kernels, packed buffers for peers, and the copies.
///
/// No message overwrites what is still needed, as each rank has one queue for all of this, and calls it in
/// the order of the steps:
/// - the send buffer is packed anew behind the copies that read it;
/// - the peer copies exchange n into this rank's buffer once it has seen `ready` reach n, which the first
///   kernel of exchange n raises here, behind whatever read exchange n - 1 there: `copy_landed`, or the
///   unpack kernel;
/// - `copy_landed` of exchange n overwrites the kernels' buffer behind the unpack kernel of n - 1.
class CopiedMessages {
 public:
  using Exec = backend::Exec;

  /// Collective. @param landing memory that other processes can map, where values arrive, and the signals
  /// too. Null: they arrive where kernels unpack them, and signals in device memory
  /// @throws AgreedError if a neighbour's memory cannot be mapped
  CopiedMessages(const PathSetup& setup, const std::shared_ptr<memory::MemoryResource>& landing);

  const PeerNetwork& network() const { return network_; }
  std::size_t rounds() const { return rounds_.size(); }
  bool any(std::size_t round) const { return !rounds_[round].empty(); }
  PathPlaces places() const;

  /// Into the peers' memory.
  void copy_to_peers(std::size_t round, const Exec& exec) const;
  /// From where values arrive to where kernels unpack them.
  void copy_landed(std::size_t round, const Exec& exec) const;
  /// Copy engines neither raise nor await signals: a kernel of its own does it for them.
  void signal(const Exec& exec, const SignalDuties& duties) const;

 private:
  using Memory = std::shared_ptr<memory::MemoryResource>;

  struct Buffers {
    std::vector<memory::Array<std::byte>> send, receive;  // a round; for kernels
    std::vector<memory::Array<std::byte>> landed;         // a round; empty if values arrive in `receive`

    Buffers(const PathSetup& setup, const Memory& landing);
    const std::vector<memory::Array<std::byte>>& arrival() const { return landed.empty() ? receive : landed; }
  };

  static PeerOffer offer(const PathSetup& setup, const Buffers& buffers);

  std::vector<RoundBytes> rounds_;
  Buffers buffers_;
  PeerNetwork network_;
  std::vector<std::vector<std::byte*>> targets_;      // [round][message], at the peer
  BlockCopies signal_{"haloheap::comm::signal", {}};  // of no values
};

}  // namespace haloheap::comm::detail

#endif
