// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_BLOCK_TABLE_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_BLOCK_TABLE_HPP

#include <haloheap/allocators/coalescing/block_table_handle.hpp>
#include <haloheap/allocators/coalescing/table_heap.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>

namespace haloheap::allocators {

/// NB of [Blach2022], section 3.1: the threads of a team get neighbouring
/// parts of one superblock, without headers; a hash table leads from a part to its superblock, whose counter
/// tells who frees the last part. One live part keeps the whole superblock. nullptr also when the table is
/// full: TableHeap.
template <DeviceAllocator Under>
class BlockTableOver : private detail::TableHeap<Under> {
  using Heap = detail::TableHeap<Under>;

 public:
  using Exec = HeapConfig::Exec;
  using Handle = detail::BlockTableHandle<lanes::Platform, typename Under::Handle>;
  static constexpr const char* name = "block_table";
  static constexpr const char* help = "a superblock for a team's requests, found through a hash table";

  using Heap::Heap, Heap::reset, Heap::statistics, Heap::under;

  Handle handle() const { return Handle(Heap::handle()); }
  static Promises promises(const HeapConfig& config) { return Heap::promises(config, Coalescing::block); }
};

using BlockTable = BlockTableOver<SlabWalk>;
static_assert(TeamAllocator<BlockTable>);

}  // namespace haloheap::allocators

#endif
