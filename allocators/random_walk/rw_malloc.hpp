// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_RW_MALLOC_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_RW_MALLOC_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/random_walk/page_heap.hpp>
#include <haloheap/allocators/random_walk/rw_malloc_handle.hpp>

namespace haloheap::allocators {

/// RW_malloc of [Pham2022], section
/// 4.3: pages in a row, found by the lanes of a warp together, each of which reads one of as many words of
/// HeapConfig::word_bits in a row; a warp's small requests (less than a page with their headers) share a run,
/// which is free again when all of them are. Serves up to 8192 bytes, as in [Pham2022]; metadata: a bit and 2
/// bytes a page.
class RwMalloc {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = detail::RwMallocHandle<lanes::Platform>;
  static constexpr const char* name = "rw_malloc";
  static constexpr const char* help =
      "runs of pages found by warps, small requests together; RW_malloc of [Pham2022]";

  RwMalloc(const Exec& exec, HeapConfig config);

  Handle handle() const { return {heap_.pool(), heap_.bitmap(), heap_.lengths(), heap_.word_bits()}; }
  void reset(const Exec& exec) { heap_.reset(exec); }
  HeapStatistics statistics(const Exec& exec) const { return heap_.statistics(exec); }
  static Promises promises(const HeapConfig& config);

 private:
  detail::PageHeap heap_;
};

static_assert(DeviceAllocator<RwMalloc>);

}  // namespace haloheap::allocators

#endif
