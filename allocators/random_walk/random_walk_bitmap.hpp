// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_BITMAP_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_BITMAP_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/random_walk/page_heap.hpp>
#include <haloheap/allocators/random_walk/random_walk_bitmap_handle.hpp>
#include <haloheap/allocators/random_walk/step_formulas.hpp>

namespace haloheap::allocators {

/// RW-BM of [Pham2022],
/// section 4.1: each lane probes random words of a bitmap, of HeapConfig::word_bits bits, until it has
/// claimed a free bit. Serves requests of up to a page; metadata: a bit a page.
class RandomWalkBitmap {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = detail::RandomWalkBitmapHandle<lanes::Platform>;
  static constexpr const char* name = "random_walk_bitmap";
  static constexpr const char* help = "pages found at random, 32 or 64 a probe; RW-BM of [Pham2022]";
  static constexpr auto search = step_formulas::Search::bitmap;

  RandomWalkBitmap(const Exec& exec, HeapConfig config);

  Handle handle() const { return {heap_.pool(), heap_.bitmap(), heap_.word_bits()}; }
  void reset(const Exec& exec) { heap_.reset(exec); }
  HeapStatistics statistics(const Exec& exec) const { return heap_.statistics(exec); }
  static Promises promises(const HeapConfig& config);

 private:
  detail::PageHeap heap_;
};

static_assert(DeviceAllocator<RandomWalkBitmap> && SizedHandle<RandomWalkBitmap::Handle>);

}  // namespace haloheap::allocators

#endif
