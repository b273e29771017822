// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MAPPED_HPP
#define HALOHEAP_COMM_PATHS_HOST_MAPPED_HPP

#include <haloheap/comm/paths/halo_path.hpp>

namespace haloheap::comm::detail {

/// Kernels pack into, and unpack from, the page-locked host memory that MPI sends and receives. No copies,
/// and no buffers in setup.buffers.
std::unique_ptr<HaloPath> make_mapped_path(PathSetup setup);

}  // namespace haloheap::comm::detail

#endif
