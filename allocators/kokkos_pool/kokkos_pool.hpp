// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_KOKKOS_POOL_KOKKOS_POOL_HPP
#define HALOHEAP_ALLOCATORS_KOKKOS_POOL_KOKKOS_POOL_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/failure_counters.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/core/lanes/bits.hpp>
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/memory/array.hpp>

#include <cstring>

namespace haloheap::allocators {

/// What kernels hold of a KokkosPool heap: the pool itself, as bytes. Kokkos' own object counts its copies on
/// the host, which handles do not do; the heap owns the memory.
///
/// Fences hand a block on: Kokkos 4.7 lets go of a block without one, so that what its owner wrote may come
/// after what the next one writes. On an H200 three of a million blocks had wrong content.
template <class Platform, class Pool>
class KokkosPoolHandle : public ViewSource<KokkosPoolHandle<Platform, Pool>> {
 public:
  KokkosPoolHandle(const Pool& pool, std::uint64_t* failures)
      : failures_(failures), largest_(pool.max_block_size()) {
    std::memcpy(pool_, &pool, sizeof(Pool));
  }

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    // Beyond its largest block the pool would end the program.
    void* const block = bytes > largest_ ? nullptr : pool().allocate(bytes == 0 ? 1 : bytes, attempts);
    if (block == nullptr) FailureCounters<Platform>(failures_).add(lanes::bits::mix(Platform::entropy()));
    Platform::Atomics::acquire_fence();
    return block;
  }

  /// The pool finds the block's size by itself, and ignores what it is told.
  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    Platform::Atomics::release_fence();
    pool().deallocate(pointer, 0);
  }

 private:
  static constexpr int attempts = 4;  // one may fail while others change superblocks

  KOKKOS_FUNCTION const Pool& pool() const { return *reinterpret_cast<const Pool*>(pool_); }

  alignas(Pool) std::byte pool_[sizeof(Pool)];
  std::uint64_t* failures_;
  std::size_t largest_;
};

/// Kokkos::MemoryPool: superblocks of blocks of one power of two, 32 bytes to a superblock of up to 1 MiB.
/// Statistics are exact while no kernel uses the heap, but for the pool's own metadata, which it does not
/// tell; a free run is a superblock without blocks or else a free block, and the high water is the most that
/// any call of statistics() has met since the last reset.
class KokkosPool {
 public:
  using Exec = HeapConfig::Exec;
  using Pool = Kokkos::MemoryPool<Kokkos::Device<Exec, memory::DeviceSpace>>;
  using Handle = KokkosPoolHandle<lanes::Platform, Pool>;
  static constexpr const char* name = "kokkos_pool";
  static constexpr const char* help = "Kokkos::MemoryPool";

  KokkosPool(const Exec& exec, HeapConfig config);

  Handle handle() const { return {pool_, failures_.view().data()}; }
  /// Waits for the instance and makes the pool anew: handles from before must not be used any more.
  void reset(const Exec& exec);
  HeapStatistics statistics(const Exec& exec) const;
  static Promises promises(const HeapConfig& config);

 private:
  HeapConfig config_;
  Pool pool_;
  memory::Array<std::uint64_t> failures_;
  mutable std::size_t high_water_ = 0;
};

static_assert(DeviceAllocator<KokkosPool>);

}  // namespace haloheap::allocators

#endif
