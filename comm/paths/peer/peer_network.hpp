// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_PEER_PEER_NETWORK_HPP
#define HALOHEAP_COMM_PATHS_PEER_PEER_NETWORK_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/kernels/peer_signals.hpp>
#include <haloheap/comm/paths/halo_path.hpp>
#include <haloheap/core/backend/ipc.hpp>
#include <haloheap/core/memory/array.hpp>

#include <map>
#include <memory>
#include <vector>

namespace haloheap::comm::detail {

/// What a rank gives its neighbours to know and to map. Words are the path's own.
struct PeerOffer {
  std::vector<const void*> blocks;
  std::vector<grid::Index> words;
  std::vector<std::vector<std::vector<grid::Index>>>
      message_words;  ///< [round][message]; for its peer alone to read
};

/// The neighbours of one node, joined by mapped memory: signals for each message, and whatever blocks of
/// memory the path offers.
class PeerNetwork {
 public:
  /// Collective. @throws AgreedError if any rank cannot offer its memory or map that of a neighbour
  /// @param signals memory that kernels reach and other processes can map
  PeerNetwork(const PathSetup& setup, const PeerOffer& offer,
              const std::shared_ptr<memory::MemoryResource>& signals);
  /// Waits, but not for ever, until all neighbours have unmapped this rank's memory, so that it may be given
  /// back.
  ~PeerNetwork();
  PeerNetwork(const PeerNetwork&) = delete;
  PeerNetwork& operator=(const PeerNetwork&) = delete;

  const PeerSignals& signals() const { return signals_; }
  /// The channels of the messages of rounds [first, last).
  SignalDuties::Channels channels(std::size_t first, std::size_t last) const;
  SignalDuties::Channels all_channels() const { return channels(0, first_channels_.size() - 1); }
  /// The same to await that the peers of all rounds are ready: see PeerSignals::channels.
  SignalDuties::Channels ready_channels() const { return {all_channels().count, all_channels().count}; }
  /// A round, the number of its first channel, and one more.
  const std::vector<int>& first_channels() const { return first_channels_; }
  void* block(int peer, std::size_t number) const;
  const std::vector<grid::Index>& words(int peer) const { return peers_.at(peer).words; }
  /// The peer's words of this message, that it exchanges with this rank in a round.
  const std::vector<grid::Index>& words(const MessageBytes& message, std::size_t round) const;

  /// Makes kernels signal, and the exchange look whether one has given up, unless this rank has no peers.
  void add_to(HaloSteps& steps, const KernelSignals& signals) const;

  /// @throws CommunicationError if a kernel has given up waiting; it names the peer
  void check() const;

  /// What kernels count. Public for the device compiler's sake.
  struct DeviceState {
    backend::Signal exchange;
    unsigned workers_done;
    int lost;
  };

 private:
  struct Peer {
    std::vector<backend::IpcHandle> handles;
    std::vector<grid::Index> channel_rounds, channel_peers, words;
    std::map<std::size_t, std::vector<std::vector<grid::Index>>> message_words;  // by round, in their order
    std::vector<backend::IpcMapping> blocks;
  };

  void swap_offers(const PathSetup& setup, const std::vector<backend::IpcHandle>& handles,
                   const PeerOffer& offer);
  std::vector<PeerChannel> make_channels() const;
  int channel_at_peer(int peer, std::size_t round, int number) const;

  Communicator communicator_;
  double timeout_;
  std::vector<grid::Index> channel_rounds_, channel_peers_;
  std::vector<int> channel_numbers_;  // of messages with the same peer in the same round
  std::vector<int> first_channels_;
  std::map<int, Peer> peers_;
  memory::Array<backend::Signal> flags_;  // written by the peers
  memory::Array<PeerChannel> channels_;
  memory::Array<DeviceState> state_;
  memory::Array<int> lost_on_host_;
  PeerSignals signals_;
};

}  // namespace haloheap::comm::detail

#endif
