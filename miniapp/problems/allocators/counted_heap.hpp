// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COUNTED_HEAP_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COUNTED_HEAP_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/memory/array.hpp>

#include <cstdint>

namespace haloheap {

template <class Under>
class CountedHandle : public allocators::ViewSource<CountedHandle<Under>> {
 public:
  KOKKOS_FUNCTION CountedHandle(const Under& under, std::uint64_t* count) : under_(under), count_(count) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    void* const block = under_.allocate(bytes);
    if (block != nullptr) lanes::Platform::Atomics::fetch_add(count_, std::uint64_t{1});
    return block;
  }
  KOKKOS_FUNCTION void deallocate(void* pointer) const { under_.deallocate(pointer); }

 private:
  Under under_;
  std::uint64_t* count_;
};

/// Another heap that counts what it serves, since it was made: to stand under a coalescing one.
template <allocators::DeviceAllocator A>
class Counted {
 public:
  using Exec = allocators::HeapConfig::Exec;
  using Handle = CountedHandle<typename A::Handle>;
  static constexpr const char* name = A::name;
  static constexpr const char* help = A::help;

  Counted(const Exec& exec, const allocators::HeapConfig& config)
      : heap_(exec, config), count_(config.resource(), config.label + "_count", 1) {
    Kokkos::deep_copy(exec, count_.view(), std::uint64_t{0});
  }

  Handle handle() const { return {heap_.handle(), count_.view().data()}; }
  void reset(const Exec& exec) { heap_.reset(exec); }
  allocators::HeapStatistics statistics(const Exec& exec) const { return heap_.statistics(exec); }
  static allocators::Promises promises(const allocators::HeapConfig& config) { return A::promises(config); }

  std::uint64_t count(const Exec& exec) const {
    return allocators::fetch(exec, count_.view().data(), 1).front();
  }

 private:
  A heap_;
  memory::Array<std::uint64_t> count_;
};

}  // namespace haloheap

#endif
