// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_STAGED_HPP
#define HALOHEAP_COMM_PATHS_HOST_STAGED_HPP

#include <haloheap/comm/paths/halo_path.hpp>

namespace haloheap::comm::detail {

/// Device buffer, copy to a host buffer, MPI, host buffer, copy to the device. The two differ in the host
/// buffer's memory: copies to and from pageable memory go through the driver's own bounce buffer and block
/// the host.
std::unique_ptr<HaloPath> make_pageable_path(PathSetup setup);
std::unique_ptr<HaloPath> make_pinned_path(PathSetup setup);

}  // namespace haloheap::comm::detail

#endif
