// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_PEER_SHARED_PINNED_HPP
#define HALOHEAP_COMM_PATHS_PEER_SHARED_PINNED_HPP

#include <haloheap/comm/paths/halo_path.hpp>

namespace haloheap::comm::detail {

/// Device buffer, copy to the page-locked host buffer of a neighbour on the same node, signal, copy to its
/// device: nothing is left for MPI to do, nor for the host.
/// @throws AgreedError if a neighbour's host memory cannot be mapped
std::unique_ptr<HaloPath> make_shared_pinned_path(PathSetup setup);

}  // namespace haloheap::comm::detail

#endif
