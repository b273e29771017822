// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MESSAGE_PATH_HPP
#define HALOHEAP_COMM_PATHS_HOST_MESSAGE_PATH_HPP

#include <haloheap/comm/paths/transport.hpp>

namespace haloheap {

/// What the transports through MPI share: packed buffers that kernels use, packed buffers that MPI uses, and
/// copies between the two if they are not the same. Collective.
/// @param kernels memory that kernels write and read
/// @param wire memory that MPI reads and writes; null: the kernels' buffers themselves
std::unique_ptr<Transport> make_packed_transport(const TransportSetup& setup,
                                                 const std::shared_ptr<MemoryResource>& kernels,
                                                 const std::shared_ptr<MemoryResource>& wire);

/// The bytes of a round's send or receive buffer: sum(messages, &MessageBytes::send_bytes).
std::size_t sum(const RoundBytes& messages, std::size_t MessageBytes::*part);

}  // namespace haloheap

#endif
