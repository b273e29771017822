// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/kernels/block_copies.hpp>
#include <haloheap/comm/kernels/waiting_blocks.hpp>
#include <haloheap/comm/lost_peer.hpp>
#include <haloheap/comm/paths/peer/peer_network.hpp>
#include <haloheap/comm/upload.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>

namespace haloheap::comm::detail {
namespace {

// Signals of two messages must not share a cache line.
constexpr std::size_t channel_signals = 128 / sizeof(backend::Signal);
// How long a neighbour may take to let go of this rank's memory.
constexpr double longest_farewell = 5;
constexpr int offer_tag = 1;

std::size_t message_count(const std::vector<RoundBytes>& rounds) {
  std::size_t count = 0;
  for (const RoundBytes& round : rounds) count += round.size();
  return count;
}

/// Sends vectors of any length to peers and takes theirs.
class Offers {
 public:
  explicit Offers(const Communicator& communicator) : comm_(communicator.get()) {}
  ~Offers() { MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE); }
  Offers(const Offers&) = delete;
  Offers& operator=(const Offers&) = delete;

  template <class T>
  void send(const std::vector<T>& values, int peer) {
    check_mpi(MPI_Isend(values.data(), static_cast<int>(values.size() * sizeof(T)), MPI_BYTE, peer, offer_tag,
                        comm_, &requests_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Isend");
  }

  template <class T>
  std::vector<T> receive(int peer) const {
    MPI_Status status;
    int bytes = 0;
    check_mpi(MPI_Probe(peer, offer_tag, comm_, &status), "MPI_Probe");
    check_mpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    std::vector<T> values(static_cast<std::size_t>(bytes) / sizeof(T));
    check_mpi(MPI_Recv(values.data(), bytes, MPI_BYTE, peer, offer_tag, comm_, MPI_STATUS_IGNORE),
              "MPI_Recv");
    return values;
  }

 private:
  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;
};

/// All words on messages, each message's led by round, peer and their number.
std::vector<grid::Index> message_notes(const PathSetup& setup, const PeerOffer& offer) {
  std::vector<grid::Index> notes;
  for (std::size_t round = 0; round < offer.message_words.size(); ++round)
    for (std::size_t m = 0; m < setup.rounds[round].size(); ++m) {
      const std::vector<grid::Index>& words = offer.message_words[round][m];
      notes.insert(notes.end(), {static_cast<grid::Index>(round), grid::Index{setup.rounds[round][m].peer},
                                 static_cast<grid::Index>(words.size())});
      notes.insert(notes.end(), words.begin(), words.end());
    }
  return notes;
}

/// Those of a peer's notes that are on messages with `rank`, by round.
std::map<std::size_t, std::vector<std::vector<grid::Index>>> words_for(
    int rank, const std::vector<grid::Index>& notes) {
  std::map<std::size_t, std::vector<std::vector<grid::Index>>> result;
  for (auto note = notes.begin(); note != notes.end();) {
    const auto first = note + 3, last = first + note[2];
    if (note[1] == rank) result[static_cast<std::size_t>(note[0])].emplace_back(first, last);
    note = last;
  }
  return result;
}

}  // namespace

PeerNetwork::PeerNetwork(const PathSetup& setup, const PeerOffer& offer,
                         const std::shared_ptr<memory::MemoryResource>& signals)
    : communicator_(setup.communicator.get()),
      timeout_(setup.timeout),
      flags_(signals, "haloheap::comm::signals", 2 * channel_signals * message_count(setup.rounds)),
      channels_(memory::make_memory_resource("device"), "haloheap::comm::channels",
                2 * message_count(setup.rounds)),
      state_(memory::make_memory_resource("device"), "haloheap::comm::exchange_state", 1),
      lost_on_host_(memory::make_memory_resource("pinned"), "haloheap::comm::lost", 1) {
  for (std::size_t round = 0; round < setup.rounds.size(); ++round) {
    first_channels_.push_back(static_cast<int>(channel_peers_.size()));
    for (const MessageBytes& message : setup.rounds[round]) {
      channel_rounds_.push_back(static_cast<grid::Index>(round));
      channel_peers_.push_back(message.peer);
      channel_numbers_.push_back(message.number);
      peers_[message.peer];
    }
  }
  first_channels_.push_back(static_cast<int>(channel_peers_.size()));
  upload(flags_, std::vector<backend::Signal>(flags_.size(), 0));
  upload(state_, {DeviceState{0, 0, 0}});
  lost_on_host_.host_view()(0) = 0;

  std::vector<backend::IpcHandle> handles;
  backend::DeviceIdentity device{};
  agree(communicator_, [&] {
    device = backend::device_identity();
    if (peers_.empty()) return;
    handles.push_back(backend::export_memory(flags_.data()));
    for (const void* block : offer.blocks) handles.push_back(backend::export_memory(block));
  });
  const int ranks = ranks_on_device(communicator_, device);
  int max_blocks = 1;
  agree(communicator_, [&] { max_blocks = peer_kernel_blocks(ranks); });
  swap_offers(setup, handles, offer);
  try {
    agree(communicator_, [&] {
      for (auto& [rank, peer] : peers_)
        for (const backend::IpcHandle& handle : peer.handles) peer.blocks.emplace_back(handle);
    });
  } catch (const AgreedError&) {
    // The run may go on by another path: nobody gives back what another has mapped.
    peers_.clear();
    communicator_.barrier(timeout_);
    throw;
  }
  upload(channels_, make_channels());
  signals_ = {.channels = channels_.data(),
              .exchange = &state_.data()->exchange,
              .workers_done = &state_.data()->workers_done,
              .lost = &state_.data()->lost,
              .lost_on_host = lost_on_host_.data(),
              .timeout = timeout_,
              .max_blocks = max_blocks};
}

PeerNetwork::~PeerNetwork() {
  const bool in_order = std::uncaught_exceptions() == 0 && lost_on_host_.host_view()(0) == 0;
  peers_.clear();
  try {
    if (in_order) communicator_.barrier(std::min(timeout_, longest_farewell));
  } catch (const CommunicationError&) {
    communicator_.abandon();
  }
}

void PeerNetwork::swap_offers(const PathSetup& setup, const std::vector<backend::IpcHandle>& handles,
                              const PeerOffer& offer) {
  const std::vector<grid::Index> notes = message_notes(setup, offer);
  Offers offers(communicator_);
  for (const auto& [rank, peer] : peers_) {
    offers.send(handles, rank);
    offers.send(channel_rounds_, rank);
    offers.send(channel_peers_, rank);
    offers.send(offer.words, rank);
    offers.send(notes, rank);
  }
  for (auto& [rank, peer] : peers_) {
    peer.handles = offers.receive<backend::IpcHandle>(rank);
    peer.channel_rounds = offers.receive<grid::Index>(rank);
    peer.channel_peers = offers.receive<grid::Index>(rank);
    peer.words = offers.receive<grid::Index>(rank);
    peer.message_words = words_for(communicator_.rank(), offers.receive<grid::Index>(rank));
  }
}

/// The number, at the peer, of the message that is number `number` of those that this rank and the peer
/// exchange in a round.
int PeerNetwork::channel_at_peer(int rank, std::size_t round, int number) const {
  const Peer& peer = peers_.at(rank);
  int before = 0;
  for (std::size_t channel = 0; channel < peer.channel_peers.size(); ++channel)
    if (peer.channel_peers[channel] == communicator_.rank() &&
        peer.channel_rounds[channel] == static_cast<grid::Index>(round) && before++ == number)
      return static_cast<int>(channel);
  throw CommunicationError(
      fmt::format("rank {} expects a message from rank {} in round {}, which does not know of it",
                  communicator_.rank(), rank, round),
      "the ranks do not agree on the halo plan", "give all ranks the same plan, topology and configuration");
}

std::vector<PeerChannel> PeerNetwork::make_channels() const {
  const auto signal = [](void* flags, int channel, std::size_t which) {
    return static_cast<backend::Signal*>(flags) +
           (2 * static_cast<std::size_t>(channel) + which) * channel_signals;
  };
  std::vector<PeerChannel> channels;
  for (std::size_t channel = 0; channel < channel_peers_.size(); ++channel) {
    const int peer = static_cast<int>(channel_peers_[channel]), here = static_cast<int>(channel);
    const int there =
        channel_at_peer(peer, static_cast<std::size_t>(channel_rounds_[channel]), channel_numbers_[channel]);
    void* const remote = peers_.at(peer).blocks[0].data();
    channels.push_back({signal(flags_.data(), here, 0), signal(flags_.data(), here, 1),
                        signal(remote, there, 0), signal(remote, there, 1)});
  }
  for (std::size_t channel = 0; channel < channel_peers_.size(); ++channel) {
    const PeerChannel& of = channels[channel];
    channels.push_back({of.arrived, of.ready, of.peer_arrived, of.peer_ready});
  }
  return channels;
}

SignalDuties::Channels PeerNetwork::channels(std::size_t first, std::size_t last) const {
  return {first_channels_[first], first_channels_[last] - first_channels_[first]};
}

void* PeerNetwork::block(int peer, std::size_t number) const {
  return peers_.at(peer).blocks[1 + number].data();
}

const std::vector<grid::Index>& PeerNetwork::words(const MessageBytes& message, std::size_t round) const {
  return peers_.at(message.peer).message_words.at(round).at(static_cast<std::size_t>(message.number));
}

void PeerNetwork::add_to(HaloSteps& steps, const KernelSignals& signals) const {
  if (peers_.empty()) return;
  if (steps.signals) throw InternalError("two paths of one exchange have signals");
  steps.signals = signals;
  steps.checks.emplace_back([this] { check(); });
}

void PeerNetwork::check() const {
  const int lost = *static_cast<const volatile int*>(lost_on_host_.data());
  if (lost == 0) return;
  throw lost_peer(
      communicator_.rank(), timeout_,
      std::to_string(channel_peers_[(static_cast<std::size_t>(lost) - 1) % channel_peers_.size()]));
}

}  // namespace haloheap::comm::detail
