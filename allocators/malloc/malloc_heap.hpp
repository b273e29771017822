// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_MALLOC_MALLOC_HEAP_HPP
#define HALOHEAP_ALLOCATORS_MALLOC_MALLOC_HEAP_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/malloc/malloc_files.hpp>
#include <haloheap/allocators/malloc/malloc_slot.hpp>
#include <haloheap/allocators/pool_finder.hpp>

#include <Kokkos_Core.hpp>

#include <memory>
#include <span>

namespace haloheap::allocators {

/// A heap that haloheap::malloc and its like take memory from, in all kernels that begin while it lives: from
/// when it is made until it ends, on the device of its instance. If several live, from the youngest; so one
/// in an inner scope is the heap of the kernels in there. A block must be freed while its heap is the
/// youngest. Making one, and its end, wait for all kernels.
template <DeviceAllocator A>
class MallocHeap {
 public:
  using Exec = HeapConfig::Exec;
  using Slot = detail::MallocSlot<typename A::Handle>;

  explicit MallocHeap(HeapConfig config = {}) : MallocHeap(Exec(), std::move(config)) {}
  /// @throws OutOfMemory; UsageError as A does, for one whose blocks are not aligned to 16 bytes, and if
  /// kernels of the program were compiled for another type of heap
  MallocHeap(const Exec& exec, HeapConfig config)
      : finder_(std::make_shared<detail::PoolFinder>(config.resource())),
        config_(detail::with_finder(std::move(config), finder_)),
        heap_(exec, detail::require_malloc(A::name, config_, A::promises(config_))),
        target_(exec, A::name, bytes_of(Slot(heap_.handle(), pool()))) {}
  MallocHeap(const MallocHeap&) = delete;
  MallocHeap& operator=(const MallocHeap&) = delete;

  /// For what else it can do: reset, errors of a checked one, a handle for kernels that have this heap to
  /// themselves. Blocks of the handle's are not for haloheap::free.
  A& allocator() { return heap_; }
  const A& allocator() const { return heap_; }
  HeapStatistics statistics(const Exec& exec = Exec()) const { return heap_.statistics(exec); }

 private:
  static std::span<const std::byte> bytes_of(const Slot& slot) {
    return std::as_bytes(std::span<const Slot, 1>(&slot, 1));
  }
  std::span<const std::byte> pool() const {
    if (!A::promises(config_).resets) return {};  // blocks stand elsewhere
    return finder_->pool();
  }

  std::shared_ptr<detail::PoolFinder> finder_;
  HeapConfig config_;
  A heap_;
  detail::MallocTarget target_;
};

}  // namespace haloheap::allocators

#endif
