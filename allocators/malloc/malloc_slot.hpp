// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_MALLOC_MALLOC_SLOT_HPP
#define HALOHEAP_ALLOCATORS_MALLOC_MALLOC_SLOT_HPP

#include <haloheap/allocators/device_allocator.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstring>
#include <span>

namespace haloheap::allocators::detail {

/// What kernels know of the heap that their calls go to. A variable of a device has a constexpr constructor,
/// which handles have not: theirs are bytes here.
template <DeviceHandle Handle>
struct MallocSlot {
  alignas(Handle) std::byte bytes[sizeof(Handle)] = {};
  const std::byte* pool = nullptr;
  std::size_t pool_bytes = 0;
  bool filled = false;

  constexpr MallocSlot() = default;
  MallocSlot(const Handle& handle, std::span<const std::byte> memory)
      : pool(memory.data()), pool_bytes(memory.size()), filled(true) {
    std::memcpy(bytes, &handle, sizeof handle);
  }

  KOKKOS_FUNCTION const Handle& handle() const {
    if (!filled)
      Kokkos::abort("haloheap::malloc: no haloheap::Heap is there; make one in main, on this device");
    return *reinterpret_cast<const Handle*>(bytes);
  }

  /// Whether it is an address in the heap.
  bool contains(const void* address) const {
    const auto offset = static_cast<const std::byte*>(address) - pool;
    return filled && offset >= 0 && static_cast<std::size_t>(offset) < pool_bytes;
  }
};

}  // namespace haloheap::allocators::detail

#endif
