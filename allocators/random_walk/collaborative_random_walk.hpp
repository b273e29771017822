// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_COLLABORATIVE_RANDOM_WALK_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_COLLABORATIVE_RANDOM_WALK_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/random_walk/collaborative_random_walk_handle.hpp>
#include <haloheap/allocators/random_walk/page_heap.hpp>
#include <haloheap/allocators/random_walk/step_formulas.hpp>

namespace haloheap::allocators {

/// CoRW of [Pham2022], section 4.2:
/// the lanes of a warp probe random words of a bitmap, of HeapConfig::word_bits bits, and share what they
/// find. Serves requests of up to a page; metadata: a bit a page and one a word.
class CollaborativeRandomWalk {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = detail::CollaborativeRandomWalkHandle<lanes::Platform>;
  static constexpr const char* name = "collaborative_random_walk";
  static constexpr const char* help = "pages found at random, shared within the warp; CoRW of [Pham2022]";
  static constexpr auto search = step_formulas::Search::collaborative_bitmap;

  CollaborativeRandomWalk(const Exec& exec, HeapConfig config);

  Handle handle() const { return {heap_.pool(), heap_.bitmap(), heap_.locks(), heap_.word_bits()}; }
  void reset(const Exec& exec) { heap_.reset(exec); }
  HeapStatistics statistics(const Exec& exec) const { return heap_.statistics(exec); }
  static Promises promises(const HeapConfig& config);

 private:
  detail::PageHeap heap_;
};

static_assert(DeviceAllocator<CollaborativeRandomWalk> && SizedHandle<CollaborativeRandomWalk::Handle>);

}  // namespace haloheap::allocators

#endif
