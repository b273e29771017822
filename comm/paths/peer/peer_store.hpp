// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_PEER_PEER_STORE_HPP
#define HALOHEAP_COMM_PATHS_PEER_PEER_STORE_HPP

#include <haloheap/comm/paths/halo_path.hpp>

namespace haloheap::comm::detail {

/// Kernels store border values straight into the halos of neighbours on the same node, and tell them so by
/// signals: no host in the loop, and no unpacking but of narrow boxes (HaloBlocks::narrow), which go
/// packed.
/// @throws AgreedError if a neighbour's fields cannot be mapped
std::unique_ptr<HaloPath> make_peer_store_path(PathSetup setup);

}  // namespace haloheap::comm::detail

#endif
