// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_PEER_COPIED_HPP
#define HALOHEAP_COMM_PATHS_PEER_COPIED_HPP

#include <haloheap/comm/paths/transport.hpp>

namespace haloheap {

/// What the transports have in common whose copy engines write into the neighbours' memory: packed buffers in
/// setup.buffers, signals, and no host in the loop. Collective.
/// @param landing host memory that other processes can map, where values arrive, and the signals too; copies
/// to the buffers follow. Null: they arrive in the buffers, and signals in device memory
/// @throws AgreedError if a neighbour's memory cannot be mapped
std::unique_ptr<Transport> make_copied_transport(const TransportSetup& setup,
                                                 const std::shared_ptr<MemoryResource>& landing);

}  // namespace haloheap

#endif
