// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/peer/peer_network.hpp>
#include <haloheap/comm/paths/peer/peer_store.hpp>
#include <haloheap/core/memory/registry.hpp>

namespace haloheap::comm::detail {
namespace {

// What a rank tells its neighbours, as words: its layout; and of each message the offset in the narrow boxes'
// buffers, then the receive boxes.
constexpr std::size_t box_words = 6;

std::vector<grid::Index> to_words(const grid::FieldLayout& layout) {
  return {layout.dims,   layout.quantities, layout.own.x, layout.own.y, layout.own.z,         layout.halo.x,
          layout.halo.y, layout.halo.z,     layout.pitch, layout.plane, layout.quantity_size, layout.origin};
}

grid::FieldLayout to_layout(const std::vector<grid::Index>& words) {
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
  std::vector<std::array<memory::Array<std::byte>, 2>> receive;

  explicit NarrowBuffers(const PathSetup& setup) {
    // Whatever memory packed halos are to stand in: only that of the device can be mapped by others.
    const auto device = memory::make_memory_resource("device");
    for (const RoundBytes& round : setup.rounds) {
      std::size_t bytes = 1;  // nothing can be mapped that is not there
      for (const MessageBytes& message : round) bytes += message.receive_bytes;
      const auto make = [&] { return memory::Array<std::byte>(device, "haloheap::comm::receive", bytes); };
      receive.push_back({make(), make()});
    }
  }
};

class PeerStorePath final : public HaloPath {
 public:
  explicit PeerStorePath(const PathSetup& setup)
      : buffers_(setup), network_(setup, offer(setup, buffers_), memory::make_memory_resource("device")) {
    for (std::size_t round = 0; round < setup.rounds.size(); ++round) {
      auto& remotes = remotes_.emplace_back();
      for (const MessageBytes& message : setup.rounds[round])
        remotes.push_back(make_remote(message.peer, round));
    }
  }

  PathPlaces places() override {
    PathPlaces places;
    for (const auto& both : buffers_.receive) places.receive.push_back({both[0].data(), both[1].data()});
    places.remote = remotes_;
    places.first_channel = network_.first_channels();
    return places;
  }

  /// Kernels do it all.
  void add_to(HaloSteps& steps) override {
    KernelSignals signals{.signals = network_.signals(), .announce = network_.all_channels()};
    for (std::size_t round = 0; round < remotes_.size(); ++round) {
      signals.raise.push_back(network_.channels(round, round + 1));
      signals.await.push_back(network_.channels(round, round + 1));
    }
    signals.fields_apart = true;
    // Nearly all that the kernels that unpack do is to wait until the neighbours have stored.
    signals.unpacking = Phase::message;
    network_.add_to(steps, signals);
  }

 private:
  // Blocks on offer: both fields, then two buffers a round.
  static std::size_t buffer_block(std::size_t round, std::size_t which) { return 2 + 2 * round + which; }

  static PeerOffer offer(const PathSetup& setup, const NarrowBuffers& buffers) {
    PeerOffer offer{.blocks = {setup.fields.data[0], setup.fields.data[1]},
                    .words = to_words(setup.fields.layout),
                    .message_words = {}};
    for (std::size_t round = 0; round < setup.rounds.size(); ++round) {
      for (const auto& buffer : buffers.receive[round]) offer.blocks.push_back(buffer.data());
      auto& of_round = offer.message_words.emplace_back();
      for (std::size_t m = 0; m < setup.rounds[round].size(); ++m) {
        auto& words =
            of_round.emplace_back(1, static_cast<grid::Index>(setup.rounds[round][m].receive_offset));
        for (const grid::Box& box : setup.fields.receive[round][m])
          words.insert(words.end(), {box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z});
      }
    }
    return offer;
  }

  RemoteHalo make_remote(int peer, std::size_t round) const {
    RemoteHalo remote{.data = {network_.block(peer, 0), network_.block(peer, 1)},
                      .layout = to_layout(network_.words(peer)),
                      .boxes = {}};
    const std::vector<grid::Index>& words = network_.words(peer, round);
    for (std::size_t at = 1; at < words.size(); at += box_words) {
      const grid::Index* const box = &words[at];
      remote.boxes.push_back({{box[0], box[1], box[2]}, {box[3], box[4], box[5]}});
    }
    for (const std::size_t which : {0, 1})
      remote.buffer[which] =
          static_cast<std::byte*>(network_.block(peer, buffer_block(round, which))) + words[0];
    return remote;
  }

  NarrowBuffers buffers_;
  PeerNetwork network_;
  std::vector<std::vector<RemoteHalo>> remotes_;  // [round][message]
};

}  // namespace

std::unique_ptr<HaloPath> make_peer_store_path(PathSetup setup) {
  return std::make_unique<PeerStorePath>(setup);
}

}  // namespace haloheap::comm::detail
