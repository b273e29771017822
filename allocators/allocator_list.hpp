// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_ALLOCATOR_LIST_HPP
#define HALOHEAP_ALLOCATORS_ALLOCATOR_LIST_HPP

#include <haloheap/allocators/allocator_types.hpp>
#include <haloheap/allocators/bump/bump.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>

namespace haloheap {

/// All allocators that any lane may call. A new one is a file pair and a line here.
using DeviceAllocators = AllocatorTypes<  //
    Bump,                                 //
    SlabWalk>;

}  // namespace haloheap

#endif
