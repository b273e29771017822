// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_ALLOCATOR_LIST_HPP
#define HALOHEAP_ALLOCATORS_ALLOCATOR_LIST_HPP

#include <haloheap/allocators/allocator_types.hpp>
#include <haloheap/allocators/bump/bump.hpp>
#include <haloheap/allocators/coalescing/block_header.hpp>
#include <haloheap/allocators/coalescing/block_table.hpp>
#include <haloheap/allocators/coalescing/warp_header.hpp>
#include <haloheap/allocators/coalescing/warp_table.hpp>
#include <haloheap/allocators/kokkos_pool/kokkos_pool.hpp>
#include <haloheap/allocators/native/native.hpp>
#include <haloheap/allocators/page_queue/page_queue.hpp>
#include <haloheap/allocators/random_walk/collaborative_random_walk.hpp>
#include <haloheap/allocators/random_walk/random_walk.hpp>
#include <haloheap/allocators/random_walk/random_walk_bitmap.hpp>
#include <haloheap/allocators/random_walk/rw_malloc.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/allocators/virtual_queues/virtual_queues.hpp>

namespace haloheap::allocators {

/// All allocators that any lane may call. A new one is a file pair and a line here.
using DeviceAllocators = AllocatorTypes<  //
    Native,                               //
    Bump,                                 //
    PageQueue,                            //
    KokkosPool,                           //
    WarpTable,                            //
    WarpHeader,                           //
    RandomWalk,                           //
    RandomWalkBitmap,                     //
    CollaborativeRandomWalk,              //
    RwMalloc,                             //
    VirtualQueues,                        //
    SlabWalk>;

/// All allocators that whole teams call.
using TeamAllocators = AllocatorTypes<  //
    BlockHeader,                        //
    BlockTable>;

}  // namespace haloheap::allocators

#endif
