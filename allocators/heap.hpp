// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
/// malloc and free for kernels, without a handle: include <haloheap/heap.hpp>, make a haloheap::Heap in main.
///
///   HALOHEAP_HEAP            the heap's type, of those in allocators/allocator_list.hpp; SlabWalk without it
///   HALOHEAP_CHECK_HEAP      wrong frees, overruns and leaks are found and told when the heap ends
///   HALOHEAP_REPLACE_MALLOC  malloc, calloc, realloc, aligned_alloc and free without a namespace are these
///                            too, and in the code of devices new and delete
///
/// All files of a program are compiled with the same ones. With HALOHEAP_REPLACE_MALLOC the five names are
/// macros: include this header behind all others.
#ifndef HALOHEAP_ALLOCATORS_HEAP_HPP
#define HALOHEAP_ALLOCATORS_HEAP_HPP

#include <haloheap/allocators/malloc/malloc_calls.hpp>
#include <haloheap/allocators/malloc/malloc_heap.hpp>
#include <haloheap/backend/kernel_constant.hpp>
#include <haloheap/backend/pragma.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdlib>

#ifdef HALOHEAP_HEAP
#include <haloheap/allocators/allocator_list.hpp>
#else
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#define HALOHEAP_HEAP SlabWalk
#endif
#ifdef HALOHEAP_CHECK_HEAP
#include <haloheap/allocators/checked.hpp>
#include <haloheap/allocators/checked/checked_malloc_blocks.hpp>
// The calls have one more parameter then, which nobody gives.
#define HALOHEAP_CALL_SITE \
  , [[maybe_unused]] const ::haloheap::allocators::CallSite& site = ::haloheap::allocators::CallSite::here()
#define HALOHEAP_SITE_PARAMETER , const CallSite& site
#define HALOHEAP_SITE site
#define HALOHEAP_AND_SITE , site
#else
#define HALOHEAP_CALL_SITE
#define HALOHEAP_SITE_PARAMETER
#define HALOHEAP_SITE (::haloheap::allocators::CallSite())
#define HALOHEAP_AND_SITE
#endif

namespace haloheap {

namespace allocators::detail {
#ifdef HALOHEAP_CHECK_HEAP
using MallocAllocator = Checked<HALOHEAP_HEAP>;
#else
using MallocAllocator = HALOHEAP_HEAP;
#endif

using MallocHandle = MallocAllocator::Handle;
HALOHEAP_KERNEL_CONSTANT MallocSlot<MallocHandle> malloc_slot;
static const MallocFile malloc_file(MallocAllocator::name, [](const HeapConfig::Exec& exec,
                                                              const void* slot) {
  using Slot = MallocSlot<MallocHandle>;
  backend::set_kernel_constant(exec, malloc_slot, slot == nullptr ? Slot() : *static_cast<const Slot*>(slot));
});

/// Blocks of the youngest heap.
namespace named_blocks {
HALOHEAP_KERNEL_FUNCTION void* allocate(std::size_t bytes HALOHEAP_SITE_PARAMETER) {
  return MallocBlocks<MallocHandle>::allocate(malloc_slot.handle(), bytes, HALOHEAP_SITE);
}
HALOHEAP_KERNEL_FUNCTION void deallocate(void* block HALOHEAP_SITE_PARAMETER) {
  MallocBlocks<MallocHandle>::deallocate(malloc_slot.handle(), block, HALOHEAP_SITE);
}
}  // namespace named_blocks

// malloc and free are in line, as calls of a handle are. The others are made of several, and a heap's code is
// long: what they call is not.
HALOHEAP_NOINLINE HALOHEAP_KERNEL_FUNCTION void* kernel_allocate(std::size_t bytes HALOHEAP_SITE_PARAMETER) {
  return named_blocks::allocate(bytes HALOHEAP_AND_SITE);
}
HALOHEAP_NOINLINE HALOHEAP_KERNEL_FUNCTION void* kernel_allocate_aligned(
    std::size_t alignment, std::size_t bytes HALOHEAP_SITE_PARAMETER) {
  return MallocBlocks<MallocHandle>::allocate(malloc_slot.handle(), alignment, bytes, HALOHEAP_SITE);
}
HALOHEAP_NOINLINE HALOHEAP_KERNEL_FUNCTION void kernel_free(void* block HALOHEAP_SITE_PARAMETER) {
  named_blocks::deallocate(block HALOHEAP_AND_SITE);
}
HALOHEAP_NOINLINE HALOHEAP_KERNEL_FUNCTION std::size_t kernel_usable_size(const void* block) {
  return MallocBlocks<MallocHandle>::usable_size(malloc_slot.handle(), block);
}

/// The youngest heap, for MallocCalls. Kernels alone come here.
struct NamedHeap {};
struct NamedBlocks {
  static constexpr bool are_guarded = MallocBlocks<MallocHandle>::are_guarded;
  static constexpr bool are_alike = MallocBlocks<MallocHandle>::are_alike;

  KOKKOS_FUNCTION static void* allocate(NamedHeap, [[maybe_unused]] std::size_t bytes,
                                        [[maybe_unused]] const CallSite& site) {
    HALOHEAP_IN_KERNELS((return kernel_allocate(bytes HALOHEAP_AND_SITE);), (return nullptr;))
  }
  KOKKOS_FUNCTION static void* allocate(NamedHeap, [[maybe_unused]] std::size_t alignment,
                                        [[maybe_unused]] std::size_t bytes,
                                        [[maybe_unused]] const CallSite& site) {
    HALOHEAP_IN_KERNELS((return kernel_allocate_aligned(alignment, bytes HALOHEAP_AND_SITE);),
                        (return nullptr;))
  }
  KOKKOS_FUNCTION static void deallocate(NamedHeap, [[maybe_unused]] void* block,
                                         [[maybe_unused]] const CallSite& site) {
    HALOHEAP_IN_KERNELS((kernel_free(block HALOHEAP_AND_SITE);), (return;))
  }
  KOKKOS_FUNCTION static std::size_t usable_size(NamedHeap, [[maybe_unused]] const void* block) {
    HALOHEAP_IN_KERNELS((return kernel_usable_size(block);), (return 0;))
  }
};

KOKKOS_INLINE_FUNCTION MallocCalls<NamedHeap, NamedBlocks> kernel_calls(const CallSite& site) {
  return MallocCalls<NamedHeap, NamedBlocks>(NamedHeap(), site);
}
}  // namespace allocators::detail

/// What the calls below take memory from, in all kernels that begin while it lives. See MallocHeap.
using Heap = allocators::MallocHeap<allocators::detail::MallocAllocator>;

/// The C library's calls for kernels: from any lane, in divergent code. See MallocCalls. Without a Heap the
/// program ends with a message. The host of a device gets the C library's own.
KOKKOS_INLINE_FUNCTION void* malloc(std::size_t bytes HALOHEAP_CALL_SITE) {
  HALOHEAP_IN_KERNELS((return allocators::detail::named_blocks::allocate(bytes HALOHEAP_AND_SITE);),
                      (return std::malloc(bytes);))
}
KOKKOS_INLINE_FUNCTION void free(void* block HALOHEAP_CALL_SITE) {
  HALOHEAP_IN_KERNELS((allocators::detail::named_blocks::deallocate(block HALOHEAP_AND_SITE);),
                      (std::free(block);))
}
KOKKOS_INLINE_FUNCTION void* calloc(std::size_t count, std::size_t bytes HALOHEAP_CALL_SITE) {
  HALOHEAP_IN_KERNELS((return allocators::detail::kernel_calls(HALOHEAP_SITE).calloc(count, bytes);),
                      (return std::calloc(count, bytes);))
}
KOKKOS_INLINE_FUNCTION void* realloc(void* block, std::size_t bytes HALOHEAP_CALL_SITE) {
  HALOHEAP_IN_KERNELS((return allocators::detail::kernel_calls(HALOHEAP_SITE).realloc(block, bytes);),
                      (return std::realloc(block, bytes);))
}
KOKKOS_INLINE_FUNCTION void* aligned_alloc(std::size_t alignment, std::size_t bytes HALOHEAP_CALL_SITE) {
  HALOHEAP_IN_KERNELS(
      (return allocators::detail::kernel_calls(HALOHEAP_SITE).aligned_alloc(alignment, bytes);),
      (return std::aligned_alloc(alignment, bytes);))
}

}  // namespace haloheap

#ifdef HALOHEAP_REPLACE_MALLOC
#include <haloheap/allocators/malloc/replace_malloc.hpp>
#endif

#endif
