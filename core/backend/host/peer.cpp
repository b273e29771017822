// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/peer.hpp>

namespace haloheap::backend {

std::string peer_unavailable_reason(int /*device*/, int /*other*/) {
  return "there is one device, which is emulated";
}
std::string peer_unavailable_reason(int other) {
  return peer_unavailable_reason(0, other);
}

void enable_peer(int /*device*/, int /*other*/) {}
void enable_peer(int other) {
  enable_peer(0, other);
}

}  // namespace haloheap::backend
