// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHECKED_CHECKED_MALLOC_BLOCKS_HPP
#define HALOHEAP_ALLOCATORS_CHECKED_CHECKED_MALLOC_BLOCKS_HPP

#include <haloheap/allocators/checked/checked_handle.hpp>
#include <haloheap/allocators/malloc/malloc_blocks.hpp>

namespace haloheap::allocators::detail {

/// Those of a checked heap, which knows how many bytes were asked for, and wants to know who calls. Nothing
/// of a block is believed before the heap has found that it is one.
template <class Platform, class Under>
struct MallocBlocks<CheckedHandle<Platform, Under>> {
  using Handle = CheckedHandle<Platform, Under>;
  static constexpr bool are_guarded = true, are_alike = false;

  KOKKOS_FUNCTION static void* allocate(const Handle& heap, std::size_t bytes, const CallSite& site) {
    return heap.allocate(bytes, site);
  }
  KOKKOS_FUNCTION static void* allocate(const Handle& heap, std::size_t alignment, std::size_t bytes,
                                        const CallSite& site) {
    return heap.allocate(bytes, site, alignment);
  }
  KOKKOS_FUNCTION static void deallocate(const Handle& heap, void* given, const CallSite& site) {
    heap.deallocate(given, site);
  }
  KOKKOS_FUNCTION static std::size_t usable_size(const Handle& heap, const void* given) {
    return heap.usable_size(given);
  }
};

}  // namespace haloheap::allocators::detail

#endif
