// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_STAGED_HPP
#define HALOHEAP_COMM_PATHS_HOST_STAGED_HPP

#include <haloheap/comm/paths/transport.hpp>

namespace haloheap {

/// Device buffer, copy to a host buffer, MPI, host buffer, copy to the device. The two differ in the host
/// buffer's memory: copies to and from pageable memory go through the driver's own bounce buffer and block
/// the host.
std::unique_ptr<Transport> make_pageable_transport(TransportSetup setup);
std::unique_ptr<Transport> make_pinned_transport(TransportSetup setup);

/// Device buffer, copy to the page-locked host buffer of a neighbour on the same node, signal, copy to its
/// device: nothing is left for MPI to do, nor for the host.
/// @throws AgreedError if a neighbour's host memory cannot be mapped
std::unique_ptr<Transport> make_shared_pinned_transport(TransportSetup setup);

}  // namespace haloheap

#endif
