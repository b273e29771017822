// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
/// Part of heap.hpp, with HALOHEAP_REPLACE_MALLOC: names without a namespace.
///
/// Where kernels run on the host, what they call cannot be told from what the rest of the program calls. So
/// all of it goes to the heap as long as there is one that has a pool, and to the C library otherwise; each
/// block goes back to where it came from, as long as that heap lives. There, new and delete stay the C++
/// library's.
#ifndef HALOHEAP_ALLOCATORS_MALLOC_REPLACE_MALLOC_HPP
#define HALOHEAP_ALLOCATORS_MALLOC_REPLACE_MALLOC_HPP

#include <haloheap/allocators/heap.hpp>

#include <cstdlib>

namespace haloheap::allocators::detail {

/// Whether a host that runs the kernels takes blocks from a heap.
inline bool host_has_heap() {
  HALOHEAP_IN_KERNELS((return malloc_slot.pool_bytes > 0;), (return false;))
}
inline bool slot_contains(const void* slot, const void* address) {
  return static_cast<const MallocSlot<MallocHandle>*>(slot)->contains(address);
}
/// The heap to which a block of such a host goes back; null: it is the C library's.
inline const MallocSlot<MallocHandle>* host_slot_of([[maybe_unused]] const void* block) {
  using Slot = MallocSlot<MallocHandle>;
  HALOHEAP_IN_KERNELS(
      (if (!malloc_slot.filled) return nullptr; if (malloc_slot.contains(block)) return &malloc_slot;
       return static_cast<const Slot*>(find_malloc_slot(block, slot_contains));),
      (return static_cast<const Slot*>(nullptr);))
}

inline void host_free(void* block HALOHEAP_SITE_PARAMETER) {
  const auto* const slot = host_slot_of(block);
  if (slot == nullptr) return std::free(block);
  MallocCalls<MallocHandle>(slot->handle(), HALOHEAP_SITE).free(block);
}
inline void* host_realloc(void* block, std::size_t bytes HALOHEAP_SITE_PARAMETER) {
  if (block == nullptr && host_has_heap()) return haloheap::malloc(bytes HALOHEAP_AND_SITE);
  const auto* const slot = host_slot_of(block);
  if (slot == nullptr) return std::realloc(block, bytes);
  return MallocCalls<MallocHandle>(slot->handle(), HALOHEAP_SITE).realloc(block, bytes);
}

}  // namespace haloheap::allocators::detail

// The macros below make haloheap::malloc these.
namespace haloheap {

KOKKOS_INLINE_FUNCTION void* haloheap_malloc(std::size_t bytes HALOHEAP_CALL_SITE) {
  KOKKOS_IF_ON_HOST((if (!allocators::detail::host_has_heap()) return std::malloc(bytes);))
  return haloheap::malloc(bytes HALOHEAP_AND_SITE);
}
KOKKOS_INLINE_FUNCTION void haloheap_free(void* block HALOHEAP_CALL_SITE) {
  KOKKOS_IF_ON_HOST((allocators::detail::host_free(block HALOHEAP_AND_SITE);))
  KOKKOS_IF_ON_DEVICE((haloheap::free(block HALOHEAP_AND_SITE);))
}
KOKKOS_INLINE_FUNCTION void* haloheap_calloc(std::size_t count, std::size_t bytes HALOHEAP_CALL_SITE) {
  KOKKOS_IF_ON_HOST((if (!allocators::detail::host_has_heap()) return std::calloc(count, bytes);))
  return haloheap::calloc(count, bytes HALOHEAP_AND_SITE);
}
KOKKOS_INLINE_FUNCTION void* haloheap_realloc(void* block, std::size_t bytes HALOHEAP_CALL_SITE) {
  KOKKOS_IF_ON_HOST((return allocators::detail::host_realloc(block, bytes HALOHEAP_AND_SITE);))
  KOKKOS_IF_ON_DEVICE((return haloheap::realloc(block, bytes HALOHEAP_AND_SITE);))
}
KOKKOS_INLINE_FUNCTION void* haloheap_aligned_alloc(std::size_t alignment,
                                                    std::size_t bytes HALOHEAP_CALL_SITE) {
  KOKKOS_IF_ON_HOST((if (!allocators::detail::host_has_heap()) return std::aligned_alloc(alignment, bytes);))
  return haloheap::aligned_alloc(alignment, bytes HALOHEAP_AND_SITE);
}

}  // namespace haloheap

using haloheap::haloheap_aligned_alloc, haloheap::haloheap_calloc, haloheap::haloheap_free,
    haloheap::haloheap_malloc, haloheap::haloheap_realloc;

HALOHEAP_REPLACE_NEW(haloheap::malloc, haloheap::free)

#define malloc haloheap_malloc
#define free haloheap_free
#define calloc haloheap_calloc
#define realloc haloheap_realloc
#define aligned_alloc haloheap_aligned_alloc

#endif
