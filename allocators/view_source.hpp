// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_VIEW_SOURCE_HPP
#define HALOHEAP_ALLOCATORS_VIEW_SOURCE_HPP

#include <haloheap/backend/exec.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace haloheap::allocators {

/// A View of a heap's memory that owns nothing: give view.data() back when it is no longer needed.
template <class T>
using HeapView = Kokkos::View<T*, backend::Exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// What all heaps align blocks to from that many bytes on.
inline constexpr std::size_t heap_alignment = 16;

/// What a View in a heap can be of: nobody destroys the elements, and a block is aligned to 16 bytes only.
/// For types that need more, allocate bytes and place the elements in them.
template <class T>
concept HeapElement = std::is_trivially_destructible_v<T> && alignof(T) <= heap_alignment;

/// Gives the handle of an allocator `view<T>(n)`, for kernels.
template <class Handle>
class ViewSource {
 public:
  /// n elements that start out undefined; without data (and with extent 0) when the heap is full, or aligns
  /// to less than T needs (HeapConfig::alignment).
  template <HeapElement T>
  KOKKOS_FUNCTION HeapView<T> view(std::size_t n) const {
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) return {};
    const Handle& handle = static_cast<const Handle&>(*this);
    if constexpr (alignof(T) > 8 && requires { handle.alignment(); })
      if (handle.alignment() < alignof(T)) return {};  // arrays of types that need 8 have it anyway
    auto* const data = static_cast<T*>(handle.allocate(n * sizeof(T)));
    return {data, data == nullptr ? 0 : n};
  }
};

}  // namespace haloheap::allocators

#endif
