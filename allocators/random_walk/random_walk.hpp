// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/random_walk/page_heap.hpp>
#include <haloheap/allocators/random_walk/random_walk_handle.hpp>
#include <haloheap/allocators/random_walk/step_formulas.hpp>

namespace haloheap::allocators {

/// RW of [Pham2022], section 3:
/// each lane probes random pages until it finds a free one. No lane touches anything that all share. Serves
/// requests of up to a page; metadata: 4 bytes a page.
class RandomWalk {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = detail::RandomWalkHandle<lanes::Platform>;
  static constexpr const char* name = "random_walk";
  static constexpr const char* help = "pages found at random, one probe a page; RW of [Pham2022]";
  static constexpr auto search = step_formulas::Search::random_walk;

  RandomWalk(const Exec& exec, HeapConfig config);

  Handle handle() const { return {heap_.pool(), heap_.flags()}; }
  void reset(const Exec& exec) { heap_.reset(exec); }
  HeapStatistics statistics(const Exec& exec) const { return heap_.statistics(exec); }
  static Promises promises(const HeapConfig& config);

 private:
  detail::PageHeap heap_;
};

static_assert(DeviceAllocator<RandomWalk> && SizedHandle<RandomWalk::Handle>);

}  // namespace haloheap::allocators

#endif
