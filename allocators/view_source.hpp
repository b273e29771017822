// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_VIEW_SOURCE_HPP
#define HALOHEAP_ALLOCATORS_VIEW_SOURCE_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace haloheap {

/// A View of a heap's memory that owns nothing: give view.data() back when it is no longer needed.
template <class T>
using HeapView = Kokkos::View<T*, Kokkos::DefaultExecutionSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// Gives the handle of an allocator `view<T>(n)`, for kernels.
template <class Handle>
class ViewSource {
 public:
  /// n elements that start out undefined; without data (and with extent 0) when the heap is full.
  template <class T>
  KOKKOS_FUNCTION HeapView<T> view(std::size_t n) const {
    static_assert(std::is_trivially_destructible_v<T>, "nobody destroys the elements");
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) return {};
    auto* const data = static_cast<T*>(static_cast<const Handle&>(*this).allocate(n * sizeof(T)));
    return {data, data == nullptr ? 0 : n};
  }
};

}  // namespace haloheap

#endif
