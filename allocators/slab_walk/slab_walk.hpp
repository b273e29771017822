// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_WALK_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_WALK_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/slab_walk/slab_walk_handle.hpp>
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/memory/array.hpp>

namespace haloheap::allocators {

/// The allocator of this library: slabs of one size class each, slots that are claimed one by one with one
/// operation for all lanes that want the same size, freed one by one and used again at once. Blocks have no
/// headers. Slabs that have become empty serve other classes. Larger requests than half a slab get whole
/// slabs. When the heap is full, it takes a few loads to say so.
///
/// Pools of 64 KiB and more; a slab is 1/4096 of the pool, at least 64 KiB, rounded up to a power of two.
class SlabWalk {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = detail::SlabWalkHandle<lanes::Platform>;
  static constexpr const char* name = "slab_walk";
  static constexpr const char* help = "slabs of one size, slots claimed by warps; haloheap's own";

  SlabWalk(const Exec& exec, HeapConfig config);

  Handle handle() const { return Handle(tables_); }
  void reset(const Exec& exec);
  HeapStatistics statistics(const Exec& exec) const;
  static Promises promises(const HeapConfig& config);

 private:
  HeapConfig config_;
  memory::Array<std::byte> pool_, metadata_;
  detail::SlabTables<lanes::Platform> tables_;
};

static_assert(DeviceAllocator<SlabWalk> && SizedHandle<SlabWalk::Handle>);

}  // namespace haloheap::allocators

#endif
