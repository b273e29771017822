// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/message_path.hpp>
#include <haloheap/comm/paths/peer/copied.hpp>
#include <haloheap/comm/paths/peer/peer_network.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <algorithm>

namespace haloheap {
namespace {

using Memory = std::shared_ptr<MemoryResource>;

struct Buffers {
  std::vector<Array<std::byte>> send, receive;  // a round; for kernels
  std::vector<Array<std::byte>> landed;         // a round; empty if values arrive in `receive`

  Buffers(const TransportSetup& setup, const Memory& landing) {
    for (const RoundBytes& round : setup.rounds) {
      send.emplace_back(setup.buffers, "haloheap::comm::send", sum(round, &MessageBytes::send_bytes));
      // A round without messages has a block too: nothing can be mapped that is not there.
      const std::size_t bytes = std::max<std::size_t>(1, sum(round, &MessageBytes::receive_bytes));
      receive.emplace_back(setup.buffers, "haloheap::comm::receive", bytes);
      if (landing) landed.emplace_back(landing, "haloheap::comm::host_receive", bytes);
    }
  }
  const std::vector<Array<std::byte>>& arrival() const { return landed.empty() ? receive : landed; }
};

// No message overwrites what is still needed, as each rank has one queue for all of this, and calls it in the
// order of the interface:
// - the send buffer is packed anew behind the copies that read it;
// - the peer copies exchange n into this rank's buffer once it has seen `ready` reach n, which the first
// kernel
//   of exchange n raises here, behind whatever read exchange n - 1 there: `place`, or the unpack kernel;
// - `place` of exchange n overwrites the kernels' buffer behind the unpack kernel of n - 1.
class CopiedTransport final : public Transport {
 public:
  CopiedTransport(const TransportSetup& setup, const Memory& landing)
      : rounds_(setup.rounds),
        buffers_(setup, landing),
        network_(setup, offer(setup, buffers_), landing ? landing : make_memory_resource("device")) {
    for (std::size_t round = 0; round < rounds_.size(); ++round) {
      auto& targets = targets_.emplace_back();
      for (const MessageBytes& message : rounds_[round])
        targets.push_back(static_cast<std::byte*>(network_.block(message.peer, round)) +
                          network_.words(message.peer, round)[0]);
    }
  }

  std::byte* send_buffer(int round) override { return buffers_.send[at(round)].data(); }
  const std::byte* receive_buffer(int round) override { return buffers_.receive[at(round)].data(); }

  void fetch(int round, const Exec& exec) override {
    for (std::size_t m = 0; m < rounds_[at(round)].size(); ++m) {
      const MessageBytes& message = rounds_[at(round)][m];
      if (message.send_bytes > 0)
        backend::copy_async(exec, targets_[at(round)][m], send_buffer(round) + message.send_offset,
                            message.send_bytes);
    }
  }
  void wait_fetched(int) override {}
  void transfer(int) override {}
  void place(int round, const Exec& exec) override {
    const std::size_t bytes = sum(rounds_[at(round)], &MessageBytes::receive_bytes);
    if (stages() && bytes > 0)
      backend::copy_async(exec, buffers_.receive[at(round)].data(), buffers_.landed[at(round)].data(), bytes);
  }

  const PeerSignals* signals() const override { return &network_.signals(); }
  bool stages() const override { return !buffers_.landed.empty(); }
  void check() const override { network_.check(); }

 private:
  static std::size_t at(int round) { return static_cast<std::size_t>(round); }

  /// A block a round, and of each message where in it to write.
  static PeerOffer offer(const TransportSetup& setup, const Buffers& buffers) {
    PeerOffer offer;
    for (std::size_t round = 0; round < setup.rounds.size(); ++round) {
      offer.blocks.push_back(buffers.arrival()[round].data());
      auto& words = offer.message_words.emplace_back();
      for (const MessageBytes& message : setup.rounds[round])
        words.push_back({static_cast<Index>(message.receive_offset)});
    }
    return offer;
  }

  std::vector<RoundBytes> rounds_;
  Buffers buffers_;
  PeerNetwork network_;
  std::vector<std::vector<std::byte*>> targets_;  // [round][message], at the peer
};

}  // namespace

std::unique_ptr<Transport> make_copied_transport(const TransportSetup& setup,
                                                 const std::shared_ptr<MemoryResource>& landing) {
  return std::make_unique<CopiedTransport>(setup, landing);
}

}  // namespace haloheap
