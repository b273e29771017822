// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_BLOCK_HEADER_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_BLOCK_HEADER_HPP

#include <haloheap/allocators/coalescing/block_header_handle.hpp>
#include <haloheap/allocators/coalescing/superblock_heap.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>

namespace haloheap::allocators {

/// HB of [Blach2022], section 3.1: the threads of a team get neighbouring
/// parts of one superblock, each with a header that leads to the superblock's counter; who frees the last
/// part gives the superblock back. One live part keeps the whole superblock.
template <DeviceAllocator Under>
class BlockHeaderOver : private detail::SuperblockHeap<Under> {
  using Heap = detail::SuperblockHeap<Under>;

 public:
  using Exec = HeapConfig::Exec;
  using Handle = detail::BlockHeaderHandle<lanes::Platform, typename Under::Handle>;
  static constexpr const char* name = "block_header";
  static constexpr const char* help = "a superblock for a team's requests, found through headers";

  using Heap::Heap, Heap::reset, Heap::statistics, Heap::under;

  Handle handle() const { return Handle(Heap::handle()); }
  static Promises promises(const HeapConfig& config) {
    Promises result = Heap::promises(config, Coalescing::block);
    result.header = 8;
    return result;
  }
};

using BlockHeader = BlockHeaderOver<SlabWalk>;
static_assert(TeamAllocator<BlockHeader>);

}  // namespace haloheap::allocators

#endif
