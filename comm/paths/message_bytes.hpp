// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_MESSAGE_BYTES_HPP
#define HALOHEAP_COMM_PATHS_MESSAGE_BYTES_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

namespace haloheap::comm::detail {

/// One message of one round, as byte ranges of the round's packed send and receive buffers.
struct MessageBytes {
  int peer = 0;
  std::size_t send_offset = 0, send_bytes = 0;
  std::size_t receive_offset = 0, receive_bytes = 0;
  int number = 0;  ///< among those of its round with the same peer
};

using RoundBytes = std::vector<MessageBytes>;

/// The bytes of a round's send buffer: to the end of the message that ends last.
inline std::size_t send_buffer_bytes(const RoundBytes& messages) {
  std::size_t end = 0;
  for (const MessageBytes& message : messages) end = std::max(end, message.send_offset + message.send_bytes);
  return end;
}

/// The same of its receive buffer.
inline std::size_t receive_buffer_bytes(const RoundBytes& messages) {
  std::size_t end = 0;
  for (const MessageBytes& message : messages)
    end = std::max(end, message.receive_offset + message.receive_bytes);
  return end;
}

}  // namespace haloheap::comm::detail

#endif
