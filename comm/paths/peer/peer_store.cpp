// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/peer/peer_network.hpp>
#include <haloheap/comm/paths/peer/peer_store.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <algorithm>

namespace haloheap::comm::detail {
namespace {

// What a rank tells its neighbours, as words: the shapes of its fields; and of each message the offset in the
// narrow boxes' buffers, then the receive boxes.
constexpr std::size_t shape_words = 7, box_words = 6;

std::vector<grid::Index> to_words(const std::vector<FieldShape>& shapes) {
  std::vector<grid::Index> words;
  for (const FieldShape& shape : shapes) {
    words.insert(words.end(), {shape.element, shape.origin, shape.quantities});
    words.insert(words.end(), shape.stride.begin(), shape.stride.end());
  }
  return words;
}

std::vector<FieldShape> to_shapes(const std::vector<grid::Index>& words) {
  std::vector<FieldShape> shapes;
  for (std::size_t at = 0; at < words.size(); at += shape_words) {
    const grid::Index* const of = &words[at];
    shapes.push_back(
        {.element = of[0], .origin = of[1], .stride = {of[3], of[4], of[5], of[6]}, .quantities = of[2]});
  }
  return shapes;
}

/// Packed narrow boxes, for each round and each set of fields.
struct NarrowBuffers {
  std::vector<std::array<memory::Array<std::byte>, 2>> receive;

  explicit NarrowBuffers(const PathSetup& setup) {
    // Whatever memory packed halos are to stand in: only that of the device can be mapped by others.
    const auto device = memory::make_memory_resource("device");
    for (const RoundBytes& round : setup.rounds) {
      // Nothing can be mapped that is not there.
      const std::size_t bytes = std::max<std::size_t>(1, receive_buffer_bytes(round));
      const auto make = [&] { return memory::Array<std::byte>(device, "haloheap::comm::receive", bytes); };
      receive.push_back({make(), make()});
    }
  }
};

class PeerStorePath final : public HaloPath {
 public:
  explicit PeerStorePath(const PathSetup& setup)
      : fields_(setup.fields.data.size()),
        buffers_(setup),
        network_(setup, offer(setup, buffers_), memory::make_memory_resource("device")) {
    for (std::size_t round = 0; round < setup.rounds.size(); ++round) {
      auto& remotes = remotes_.emplace_back();
      for (const MessageBytes& message : setup.rounds[round]) remotes.push_back(make_remote(message, round));
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
  // Blocks on offer: each field of both sets, then two buffers a round.
  static std::size_t field_block(std::size_t field, std::size_t set) { return 2 * field + set; }
  std::size_t buffer_block(std::size_t round, std::size_t set) const { return 2 * (fields_ + round) + set; }

  static PeerOffer offer(const PathSetup& setup, const NarrowBuffers& buffers) {
    PeerOffer offer{.blocks = {}, .words = to_words(setup.fields.shapes), .message_words = {}};
    for (const ForEachSet& field : setup.fields.data)
      offer.blocks.insert(offer.blocks.end(), {field[0], field[1]});
    for (std::size_t round = 0; round < setup.rounds.size(); ++round) {
      for (const auto& buffer : buffers.receive[round]) offer.blocks.push_back(buffer.data());
      auto& of_round = offer.message_words.emplace_back();
      for (std::size_t m = 0; m < setup.rounds[round].size(); ++m) {
        auto& words =
            of_round.emplace_back(1, static_cast<grid::Index>(setup.rounds[round][m].receive_offset));
        if (setup.fields.data.empty()) continue;
        for (const grid::Box& box : setup.fields.receive[round][m])
          words.insert(words.end(), {box.lo.x, box.lo.y, box.lo.z, box.hi.x, box.hi.y, box.hi.z});
      }
    }
    return offer;
  }

  RemoteHalo make_remote(const MessageBytes& message, std::size_t round) const {
    const int peer = message.peer;
    RemoteHalo remote{.data = {}, .shapes = to_shapes(network_.words(peer)), .boxes = {}};
    for (std::size_t field = 0; field < fields_; ++field)
      remote.data.push_back(
          {network_.block(peer, field_block(field, 0)), network_.block(peer, field_block(field, 1))});
    const std::vector<grid::Index>& words = network_.words(message, round);
    for (std::size_t at = 1; at < words.size(); at += box_words) {
      const grid::Index* const box = &words[at];
      remote.boxes.push_back({{box[0], box[1], box[2]}, {box[3], box[4], box[5]}});
    }
    for (const std::size_t set : {0, 1})
      remote.buffer[set] = static_cast<std::byte*>(network_.block(peer, buffer_block(round, set))) + words[0];
    return remote;
  }

  std::size_t fields_;
  NarrowBuffers buffers_;
  PeerNetwork network_;
  std::vector<std::vector<RemoteHalo>> remotes_;  // [round][message]
};

}  // namespace

std::unique_ptr<HaloPath> make_peer_store_path(PathSetup setup) {
  return std::make_unique<PeerStorePath>(setup);
}

}  // namespace haloheap::comm::detail
