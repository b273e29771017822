// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_NCCL_HPP
#define HALOHEAP_COMM_PATHS_HOST_NCCL_HPP

#include <haloheap/comm/paths/halo_path.hpp>

namespace haloheap::comm::detail {

/// NCCL's sends and receives, one group a round, in the queue of the kernels: the host waits for none of
/// them. Only in builds with HALOHEAP_ENABLE_NCCL.
/// @throws AgreedError if two ranks share a device, or if the environment switches NVLink multicast on, which
/// must stay off (NCCL_NVLS_ENABLE=0)
std::unique_ptr<HaloPath> make_nccl_path(PathSetup setup);

}  // namespace haloheap::comm::detail

#endif
