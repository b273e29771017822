// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/peer/copied.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <algorithm>

namespace haloheap::comm::detail {

CopiedMessages::Buffers::Buffers(const PathSetup& setup, const Memory& landing) {
  for (const RoundBytes& round : setup.rounds) {
    send.emplace_back(setup.buffers, "haloheap::comm::send", send_buffer_bytes(round));
    // A round without messages has a block too: nothing can be mapped that is not there.
    const std::size_t bytes = std::max<std::size_t>(1, receive_buffer_bytes(round));
    receive.emplace_back(setup.buffers, "haloheap::comm::receive", bytes);
    if (landing) landed.emplace_back(landing, "haloheap::comm::host_receive", bytes);
  }
}

/// A block a round, and of each message where in it to write.
PeerOffer CopiedMessages::offer(const PathSetup& setup, const Buffers& buffers) {
  PeerOffer offer;
  for (std::size_t round = 0; round < setup.rounds.size(); ++round) {
    offer.blocks.push_back(buffers.arrival()[round].data());
    auto& words = offer.message_words.emplace_back();
    for (const MessageBytes& message : setup.rounds[round])
      words.push_back({static_cast<grid::Index>(message.receive_offset)});
  }
  return offer;
}

CopiedMessages::CopiedMessages(const PathSetup& setup, const Memory& landing)
    : rounds_(setup.rounds),
      buffers_(setup, landing),
      network_(setup, offer(setup, buffers_), landing ? landing : memory::make_memory_resource("device")) {
  for (std::size_t round = 0; round < rounds_.size(); ++round) {
    auto& targets = targets_.emplace_back();
    for (const MessageBytes& message : rounds_[round])
      targets.push_back(static_cast<std::byte*>(network_.block(message.peer, round)) +
                        network_.words(message, round)[0]);
  }
}

PathPlaces CopiedMessages::places() const {
  PathPlaces places;
  for (std::size_t round = 0; round < rounds_.size(); ++round) {
    places.send.push_back(buffers_.send[round].data());
    places.receive.push_back({buffers_.receive[round].data(), buffers_.receive[round].data()});
  }
  return places;
}

void CopiedMessages::copy_to_peers(std::size_t round, const Exec& exec) const {
  for (std::size_t m = 0; m < rounds_[round].size(); ++m) {
    const MessageBytes& message = rounds_[round][m];
    if (message.send_bytes > 0)
      backend::copy_async(exec, targets_[round][m], buffers_.send[round].data() + message.send_offset,
                          message.send_bytes);
  }
}

void CopiedMessages::copy_landed(std::size_t round, const Exec& exec) const {
  const std::size_t bytes = receive_buffer_bytes(rounds_[round]);
  if (bytes > 0)
    backend::copy_async(exec, buffers_.receive[round].data(), buffers_.landed[round].data(), bytes);
}

void CopiedMessages::signal(const Exec& exec, const SignalDuties& duties) const {
  signal_.run(exec, nullptr, network_.signals(), duties);
}

}  // namespace haloheap::comm::detail
