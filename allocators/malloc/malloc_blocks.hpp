// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_MALLOC_MALLOC_BLOCKS_HPP
#define HALOHEAP_ALLOCATORS_MALLOC_MALLOC_BLOCKS_HPP

#include <haloheap/allocators/call_site.hpp>
#include <haloheap/allocators/device_allocator.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators::detail {

/// Blocks whose size can be asked for, of a heap that does not know it: 16 bytes in front of each say how
/// large it is and where the heap's own block begins. Who calls does not matter here.
template <class Handle>
struct MallocBlocks {
  /// Whether something stands behind the last byte that was asked for: a block that is to be smaller moves.
  static constexpr bool are_guarded = false;
  /// Whether all have the same room, however little is asked for: then none moves to be smaller.
  static constexpr bool are_alike = false;

  struct alignas(16) Header {
    std::size_t bytes;
    void* block;
  };

  KOKKOS_FUNCTION static void* allocate(const Handle& heap, std::size_t bytes, const CallSite& site) {
    return allocate(heap, sizeof(Header), bytes, site);
  }

  /// @param alignment a power of two, at least 16
  KOKKOS_FUNCTION static void* allocate(const Handle& heap, std::size_t alignment, std::size_t bytes,
                                        const CallSite&) {
    if (bytes > SIZE_MAX - alignment) return nullptr;
    void* const block = heap.allocate(bytes + alignment);
    if (block == nullptr) return nullptr;
    const auto behind_header = reinterpret_cast<std::uintptr_t>(block) + sizeof(Header);
    auto* const given = static_cast<std::byte*>(block) + sizeof(Header) +
                        ((std::uintptr_t{0} - behind_header) & (alignment - 1));
    *header(given) = {bytes, block};
    return given;
  }

  KOKKOS_FUNCTION static void deallocate(const Handle& heap, void* given, const CallSite&) {
    heap.deallocate(given == nullptr ? nullptr : header(given)->block);
  }

  KOKKOS_FUNCTION static std::size_t usable_size(const Handle&, const void* given) {
    return header(const_cast<void*>(given))->bytes;
  }

 private:
  KOKKOS_FUNCTION static Header* header(void* given) { return static_cast<Header*>(given) - 1; }
};

/// The same of a heap that knows: its own blocks.
template <SizedHandle Handle>
struct MallocBlocks<Handle> {
  static constexpr bool are_guarded = false;
  static constexpr bool are_alike = PageHandle<Handle>;

  KOKKOS_FUNCTION static void* allocate(const Handle& heap, std::size_t bytes, const CallSite&) {
    return heap.allocate(bytes);
  }

  KOKKOS_FUNCTION static void* allocate(const Handle& heap, std::size_t alignment, std::size_t bytes,
                                        const CallSite&) {
    if (bytes > SIZE_MAX - alignment) return nullptr;
    return heap.allocate(bytes == 0 ? alignment : (bytes + alignment - 1) & ~(alignment - 1));
  }

  KOKKOS_FUNCTION static void deallocate(const Handle& heap, void* given, const CallSite&) {
    heap.deallocate(given);
  }

  KOKKOS_FUNCTION static std::size_t usable_size(const Handle& heap, const void* given) {
    return heap.usable_size(given);
  }
};

}  // namespace haloheap::allocators::detail

#endif
