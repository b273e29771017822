// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/peer/copied.hpp>
#include <haloheap/comm/paths/peer/peer_copy.hpp>

namespace haloheap {

std::unique_ptr<Transport> make_peer_copy_transport(TransportSetup setup) {
  return make_copied_transport(setup, nullptr);
}

}  // namespace haloheap
