// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_VIRTUAL_QUEUES_VIRTUAL_QUEUES_HPP
#define HALOHEAP_ALLOCATORS_VIRTUAL_QUEUES_VIRTUAL_QUEUES_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/virtual_queues/virtual_queues_handle.hpp>
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/memory/array.hpp>

namespace haloheap::allocators {

/// A heap of queues of chunks, one for each size class, with semaphores, and with slots that come from the
/// pool as a queue grows: the design of [Winter2020], section 4, in its variant of chunks, with which
/// [Pham2022] compares. Chunks of 8192 bytes with pages of 16, 32, ... 8192, which is the largest request. A
/// chunk whose pages are all free serves any class.
///
/// Statistics are exact while no kernel uses the heap; the high water is the most that any call of
/// statistics() has met since the last reset. Metadata: 0.9 % of the pool and 350 KiB; the slots of the
/// queues take 1/1024 of the pool and 16 KiB, which are not handed out.
class VirtualQueues {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = detail::VirtualQueuesHandle<lanes::Platform>;
  static constexpr const char* name = "virtual_queues";
  static constexpr const char* help = "queues of chunks with pages of one size, on slots from the pool";

  /// @throws UsageError for a pool of less than four chunks, or of more than 2^31
  VirtualQueues(const Exec& exec, HeapConfig config);

  Handle handle() const { return Handle(tables_); }
  void reset(const Exec& exec);
  HeapStatistics statistics(const Exec& exec) const;
  /// @throws UsageError as the constructor does
  static Promises promises(const HeapConfig& config);

 private:
  HeapConfig config_;
  memory::Array<std::byte> pool_, metadata_;
  detail::ChunkTables<lanes::Platform> tables_;
  mutable std::size_t high_water_ = 0;
};

static_assert(DeviceAllocator<VirtualQueues> && SizedHandle<VirtualQueues::Handle>);

}  // namespace haloheap::allocators

#endif
