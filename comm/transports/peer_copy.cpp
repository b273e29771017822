// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/peer_network.hpp>
#include <haloheap/comm/transports/packed.hpp>
#include <haloheap/comm/transports/peer_copy.hpp>
#include <haloheap/core/backend/instance.hpp>

#include <algorithm>

namespace haloheap {
namespace {

struct Buffers {
  std::vector<Array<std::byte>> send, receive;  // a round

  explicit Buffers(const TransportSetup& setup) {
    for (const RoundBytes& round : setup.rounds) {
      send.emplace_back(setup.buffers, "haloheap::comm::send", sum(round, &MessageBytes::send_bytes));
      // A round without messages has a block too: nothing can be mapped that is not there.
      receive.emplace_back(setup.buffers, "haloheap::comm::receive",
                           std::max<std::size_t>(1, sum(round, &MessageBytes::receive_bytes)));
    }
  }
};

class PeerCopyTransport final : public Transport {
 public:
  explicit PeerCopyTransport(const TransportSetup& setup)
      : rounds_(setup.rounds), buffers_(setup), network_(setup, offer(setup, buffers_)) {
    for (std::size_t round = 0; round < rounds_.size(); ++round) {
      auto& targets = targets_.emplace_back();
      for (const MessageBytes& message : rounds_[round])
        targets.push_back(target(message.peer, round, setup.communicator.rank()));
    }
  }

  std::byte* send_buffer(int round) override { return buffers_.send[at(round)].data(); }
  const std::byte* receive_buffer(int round) override { return buffers_.receive[at(round)].data(); }

  void fetch(int round, const Exec& exec) override {
    for (std::size_t m = 0; m < rounds_[at(round)].size(); ++m) {
      const MessageBytes& message = rounds_[at(round)][m];
      backend::copy_async(exec, targets_[at(round)][m], send_buffer(round) + message.send_offset,
                          message.send_bytes);
    }
  }
  void wait_fetched(int) override {}
  void transfer(int) override {}
  void place(int, const Exec&) override {}

  const PeerSignals* signals() const override { return &network_.signals(); }
  void check() const override { network_.check(); }

 private:
  static constexpr std::size_t word_count = 3;

  static std::size_t at(int round) { return static_cast<std::size_t>(round); }

  /// Where each message of each peer goes: round, peer, offset.
  static PeerOffer offer(const TransportSetup& setup, const Buffers& buffers) {
    PeerOffer offer;
    for (std::size_t round = 0; round < setup.rounds.size(); ++round) {
      offer.blocks.push_back(buffers.receive[round].data());
      for (const MessageBytes& message : setup.rounds[round])
        for (const std::size_t word : {round, static_cast<std::size_t>(message.peer), message.receive_offset})
          offer.words.push_back(static_cast<Index>(word));
    }
    return offer;
  }

  std::byte* target(int peer, std::size_t round, int rank) const {
    const std::vector<Index>& words = network_.words(peer);
    for (std::size_t i = 0; i < words.size(); i += word_count)
      if (words[i] == static_cast<Index>(round) && words[i + 1] == rank)
        return static_cast<std::byte*>(network_.block(peer, round)) + words[i + 2];
    return nullptr;  // cannot be: the network has matched the messages
  }

  std::vector<RoundBytes> rounds_;
  Buffers buffers_;
  PeerNetwork network_;
  std::vector<std::vector<std::byte*>> targets_;  // [round][message], at the peer
};

}  // namespace

std::unique_ptr<Transport> make_peer_copy_transport(TransportSetup setup) {
  return std::make_unique<PeerCopyTransport>(setup);
}

}  // namespace haloheap
