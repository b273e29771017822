// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_WAITING_BLOCKS_HPP
#define HALOHEAP_COMM_KERNELS_WAITING_BLOCKS_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/backend/device.hpp>

namespace haloheap::comm::detail {

/// How many blocks a kernel may have that waits for peers: they stay where they are until these have come. A
/// rank that has its device to itself takes half of the places, as its peers need none of them. Ranks that
/// share a device (side by side, under a service like NVIDIA's MPS) together leave half of its
/// multiprocessors without any, so that whatever kernel a peer has to finish first finds room. (Where MPS
/// shows each of them only a part of the multiprocessors, that part is divided once more: kernels are smaller
/// than they could be, and right.)
/// @param blocks_each such blocks that a multiprocessor holds
/// @param ranks that share the device, this one among them
/// @returns 0 if they are too many for one block each
int waiting_blocks(int multiprocessors, int blocks_each, int ranks);

/// The same; @throws CapabilityError instead of returning 0.
int require_waiting_blocks(int multiprocessors, int blocks_each, int ranks);

/// How many ranks of this node work on the same device as this one, itself among them. Collective.
/// @param device of this rank: backend::device_identity()
int ranks_on_device(const Communicator& communicator, const backend::DeviceIdentity& device);

}  // namespace haloheap::comm::detail

#endif
