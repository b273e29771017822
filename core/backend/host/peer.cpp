// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/peer.hpp>

namespace haloheap::backend {

std::string peer_unavailable_reason(int /*other*/) {
  return "there is one device, which is emulated";
}
void enable_peer(int /*other*/) {}

}  // namespace haloheap::backend
