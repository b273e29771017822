// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/lost_peer.hpp>

#include <fmt/format.h>

namespace haloheap::comm::detail {

CommunicationError lost_peer(int rank, double timeout, const std::string& peers) {
  return CommunicationError(
      fmt::format("rank {} waited {:g} s for rank {}, which sent or took nothing", rank, timeout, peers),
      "the run cannot go on without it",
      "see whether that rank died or hangs; the timeout says how long to wait");
}

}  // namespace haloheap::comm::detail
