// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_MESSAGE_BYTES_HPP
#define HALOHEAP_COMM_PATHS_MESSAGE_BYTES_HPP

#include <cstddef>
#include <vector>

namespace haloheap::comm::detail {

/// One message of one round, as byte ranges of the round's packed send and receive buffers.
struct MessageBytes {
  int peer = 0;
  std::size_t send_offset = 0, send_bytes = 0;
  std::size_t receive_offset = 0, receive_bytes = 0;
};

using RoundBytes = std::vector<MessageBytes>;

/// The bytes of a round's send or receive buffer: sum(messages, &MessageBytes::send_bytes).
inline std::size_t sum(const RoundBytes& messages, std::size_t MessageBytes::*part) {
  std::size_t total = 0;
  for (const MessageBytes& message : messages) total += message.*part;
  return total;
}

}  // namespace haloheap::comm::detail

#endif
