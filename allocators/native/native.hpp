// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_NATIVE_NATIVE_HPP
#define HALOHEAP_ALLOCATORS_NATIVE_NATIVE_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/failure_counters.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/backend/kernel_malloc.hpp>
#include <haloheap/core/lanes/bits.hpp>
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/memory/array.hpp>

namespace haloheap::allocators {

/// The backend's malloc, as it is: no header, no counter that requests share.
template <class Platform>
class NativeHandle : public ViewSource<NativeHandle<Platform>> {
 public:
  KOKKOS_FUNCTION NativeHandle(std::uint64_t* failures, std::size_t largest)
      : failures_(failures), largest_(largest) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    void* const block = bytes > largest_ ? nullptr : backend::kernel_malloc(bytes == 0 ? 1 : bytes);
    if (block == nullptr) FailureCounters<Platform>(failures_).add(lanes::bits::mix(Platform::entropy()));
    return block;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const { backend::kernel_free(pointer); }

 private:
  std::uint64_t* failures_;
  std::size_t largest_;
};

/// What [Blach2022] and [Pham2022] compare with. All native heaps of a device share one memory, whose size
/// CUDA fixes when the first kernel uses it (core/backend/kernel_heap.hpp): make the largest heap first.
/// `bytes` is what there is at least; nothing keeps requests from taking more if there is more. A block of
/// half the bytes should always fit: the backend keeps metadata of its own in there.
///
/// The heap does not know its blocks (that would make it another allocator), so reset() cannot take them back
/// and statistics() knows failures only.
class Native {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = NativeHandle<lanes::Platform>;
  static constexpr const char* name = "native";
  static constexpr const char* help = "the malloc that the backend's kernels have";

  /// @throws CapabilityError if it is too late for a memory of that size
  Native(const Exec& exec, HeapConfig config);

  Handle handle() const { return {failures_.view().data(), config_.bytes / 2}; }
  /// Statistics start anew. Blocks stay with whoever has them.
  void reset(const Exec& exec);
  HeapStatistics statistics(const Exec& exec) const;
  static Promises promises(const HeapConfig& config);

 private:
  HeapConfig config_;
  memory::Array<std::uint64_t> failures_;
};

static_assert(DeviceAllocator<Native>);

}  // namespace haloheap::allocators

#endif
