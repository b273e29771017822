// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_PAGE_QUEUE_PAGE_QUEUE_HPP
#define HALOHEAP_ALLOCATORS_PAGE_QUEUE_PAGE_QUEUE_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/page_queue/page_queue_handle.hpp>
#include <haloheap/allocators/random_walk/step_formulas.hpp>
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/memory/array.hpp>

namespace haloheap::allocators {

/// A central queue of free pages: the design that [Pham2022] argues against, since all threads change the
/// same counters one after the other (its section 3.2.1; step_formulas::queue_average). Serves requests of up
/// to a page; metadata: 8 to 16 bytes a page.
///
/// Statistics are exact while no kernel uses the heap; the high water is the most that any call of
/// statistics() has met since the last reset.
class PageQueue {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = detail::PageQueueHandle<lanes::Platform>;
  static constexpr const char* name = "page_queue";
  static constexpr const char* help = "a central queue of free pages";
  static constexpr auto search = step_formulas::Search::queue;

  PageQueue(const Exec& exec, HeapConfig config);

  Handle handle() const { return Handle(ring_); }
  void reset(const Exec& exec);
  HeapStatistics statistics(const Exec& exec) const;
  static Promises promises(const HeapConfig& config);

 private:
  HeapConfig config_;
  memory::Array<std::byte> pool_;
  memory::Array<detail::PageRing<lanes::Platform>::Word> metadata_;
  detail::PageRing<lanes::Platform> ring_;
  mutable std::size_t high_water_ = 0;
};

static_assert(DeviceAllocator<PageQueue> && SizedHandle<PageQueue::Handle>);

}  // namespace haloheap::allocators

#endif
