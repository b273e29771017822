// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_KERNEL_HEAP_HPP
#define HALOHEAP_CORE_BACKEND_KERNEL_HEAP_HPP

#include <cstddef>

namespace haloheap::backend {

/// Sees to it that kernels of the current device can malloc at least so many bytes in all.
///
/// CUDA has one such heap a device and process, and its size can be set only before the first kernel that
/// uses it is launched: never later, and it never shrinks. On hosts malloc takes what there is.
/// @throws CapabilityError if it is too late for so many, naming how many there are
void reserve_kernel_heap(std::size_t bytes);

/// Whether the host may copy what kernels malloc.
bool kernel_heap_is_copyable();

}  // namespace haloheap::backend

#endif
