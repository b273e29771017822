// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MESSAGE_PATH_HPP
#define HALOHEAP_COMM_PATHS_HOST_MESSAGE_PATH_HPP

#include <haloheap/comm/paths/halo_path.hpp>

namespace haloheap::comm::detail {

/// Whether a path's messages are passed.
enum class Messages { passed, left_out };

/// The paths through MPI: packed buffers that kernels use, packed buffers that MPI uses, and copies between
/// the two if they are not the same. Collective.
/// @param kernels memory that kernels write and read
/// @param wire memory that MPI reads and writes; null: the kernels' buffers themselves
/// @param messages left out: what is unpacked is zero
std::unique_ptr<HaloPath> make_message_path(const PathSetup& setup,
                                            const std::shared_ptr<memory::MemoryResource>& kernels,
                                            const std::shared_ptr<memory::MemoryResource>& wire,
                                            Messages messages = Messages::passed);

}  // namespace haloheap::comm::detail

#endif
