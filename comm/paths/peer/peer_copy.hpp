// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_PEER_PEER_COPY_HPP
#define HALOHEAP_COMM_PATHS_PEER_PEER_COPY_HPP

#include <haloheap/comm/paths/halo_path.hpp>

namespace haloheap::comm::detail {

/// Packed bytes go by the copy engine from this rank's buffer into that of a neighbour on the same node, in
/// the queue of the kernels: no host in the loop.
/// @throws AgreedError if a neighbour's buffers cannot be mapped
std::unique_ptr<HaloPath> make_peer_copy_path(PathSetup setup);

}  // namespace haloheap::comm::detail

#endif
