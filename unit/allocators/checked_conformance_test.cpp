// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Debug mode changes nothing for those who use a heap rightly.
#include <haloheap/allocators/allocator_types.hpp>
#include <haloheap/allocators/bump/bump.hpp>
#include <haloheap/allocators/checked.hpp>
#include <haloheap/allocators/coalescing/warp_header.hpp>
#include <haloheap/allocators/random_walk/collaborative_random_walk.hpp>
#include <haloheap/allocators/random_walk/rw_malloc.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>

namespace haloheap::allocators {
static_assert(DeviceAllocator<Checked<SlabWalk>> && DeviceAllocator<Checked<Bump>>);
using TestedAllocators = AllocatorTypes<Checked<SlabWalk>, Checked<Bump>, Checked<WarpHeader>,
                                        Checked<RwMalloc>, Checked<CollaborativeRandomWalk>>;
}  // namespace haloheap::allocators

#include <haloheap/unit/allocators/conformance.hpp>
