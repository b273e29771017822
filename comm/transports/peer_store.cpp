// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/peer_network.hpp>
#include <haloheap/comm/transports/peer_store.hpp>
#include <haloheap/core/memory/registry.hpp>

namespace haloheap {
namespace {

// What a rank tells its neighbours, as words: its layout, then its receive boxes, each led by round, peer and
// the offset of the message in the narrow boxes' buffers.
constexpr std::size_t layout_words = 12;
constexpr std::size_t box_words = 9;

std::vector<Index> to_words(const FieldLayout& layout) {
  return {layout.dims,   layout.quantities, layout.own.x, layout.own.y, layout.own.z,         layout.halo.x,
          layout.halo.y, layout.halo.z,     layout.pitch, layout.plane, layout.quantity_size, layout.origin};
}

FieldLayout to_layout(const std::vector<Index>& words) {
  return {.dims = static_cast<int>(words[0]),
          .quantities = static_cast<int>(words[1]),
          .own = {words[2], words[3], words[4]},
          .halo = {words[5], words[6], words[7]},
          .pitch = words[8],
          .plane = words[9],
          .quantity_size = words[10],
          .origin = words[11]};
}

/// Packed narrow boxes, for each round and each of the fields.
struct NarrowBuffers {
  std::vector<std::array<Array<std::byte>, 2>> receive;

  explicit NarrowBuffers(const TransportSetup& setup) {
    // Whatever memory packed halos are to stand in: only that of the device can be mapped by others.
    const auto device = make_memory_resource("device");
    for (const RoundBytes& round : setup.rounds) {
      std::size_t bytes = 1;  // nothing can be mapped that is not there
      for (const MessageBytes& message : round) bytes += message.receive_bytes;
      const auto make = [&] { return Array<std::byte>(device, "haloheap::comm::receive", bytes); };
      receive.push_back({make(), make()});
    }
  }
};

class PeerStoreTransport final : public Transport {
 public:
  explicit PeerStoreTransport(const TransportSetup& setup)
      : buffers_(setup), network_(setup, offer(setup, buffers_)) {
    for (std::size_t round = 0; round < setup.rounds.size(); ++round) {
      auto& remotes = remotes_.emplace_back();
      for (const MessageBytes& message : setup.rounds[round])
        remotes.push_back(make_remote(message.peer, round, setup.communicator.rank()));
    }
  }

  const PeerSignals* signals() const override { return &network_.signals(); }
  void check() const override { network_.check(); }
  bool stores() const override { return true; }
  const RemoteHalo& remote(int round, std::size_t message) const override {
    return remotes_[static_cast<std::size_t>(round)][message];
  }
  std::array<std::byte*, 2> narrow_buffers(int round) override {
    const auto& both = buffers_.receive[static_cast<std::size_t>(round)];
    return {both[0].data(), both[1].data()};
  }

  std::byte* send_buffer(int) override { return nullptr; }
  const std::byte* receive_buffer(int) override { return nullptr; }
  void fetch(int, const Exec&) override {}
  void wait_fetched(int) override {}
  void transfer(int) override {}
  void place(int, const Exec&) override {}

 private:
  // Blocks on offer: both fields, then two buffers a round.
  static std::size_t buffer_block(std::size_t round, std::size_t which) { return 2 + 2 * round + which; }

  static PeerOffer offer(const TransportSetup& setup, const NarrowBuffers& buffers) {
    PeerOffer offer{.blocks = {setup.fields.data[0], setup.fields.data[1]},
                    .words = to_words(setup.fields.layout)};
    for (std::size_t round = 0; round < setup.rounds.size(); ++round) {
      for (const auto& buffer : buffers.receive[round]) offer.blocks.push_back(buffer.data());
      for (std::size_t m = 0; m < setup.rounds[round].size(); ++m)
        for (const Box& box : setup.fields.receive[round][m])
          for (const Index word : {static_cast<Index>(round), Index{setup.rounds[round][m].peer},
                                   static_cast<Index>(setup.rounds[round][m].receive_offset), box.lo.x,
                                   box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z})
            offer.words.push_back(word);
    }
    return offer;
  }

  RemoteHalo make_remote(int peer, std::size_t round, int rank) const {
    const std::vector<Index>& words = network_.words(peer);
    RemoteHalo remote{
        .data = {network_.block(peer, 0), network_.block(peer, 1)}, .layout = to_layout(words), .boxes = {}};
    for (std::size_t at = layout_words; at < words.size(); at += box_words) {
      if (words[at] != static_cast<Index>(round) || words[at + 1] != rank) continue;
      const Index* const box = &words[at + 3];
      remote.boxes.push_back({{box[0], box[1], box[2]}, {box[3], box[4], box[5]}});
      for (const std::size_t which : {0, 1})
        remote.buffer[which] =
            static_cast<std::byte*>(network_.block(peer, buffer_block(round, which))) + words[at + 2];
    }
    return remote;
  }

  NarrowBuffers buffers_;
  PeerNetwork network_;
  std::vector<std::vector<RemoteHalo>> remotes_;  // [round][message]
};

}  // namespace

std::unique_ptr<Transport> make_peer_store_transport(TransportSetup setup) {
  return std::make_unique<PeerStoreTransport>(setup);
}

}  // namespace haloheap
