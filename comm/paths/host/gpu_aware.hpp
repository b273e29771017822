// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_GPU_AWARE_HPP
#define HALOHEAP_COMM_PATHS_HOST_GPU_AWARE_HPP

#include <haloheap/comm/paths/halo_path.hpp>

namespace haloheap::comm::detail {

/// Hands the device buffers themselves to MPI, after messages that prove that it can take them.
/// @throws CapabilityError if MPI says that it cannot, unless setup.force_gpu_aware, or if wrong bytes
/// arrive. A library that crashes ends the process with a message and CapabilityError's exit code.
std::unique_ptr<HaloPath> make_gpu_aware_path(PathSetup setup);

}  // namespace haloheap::comm::detail

#endif
