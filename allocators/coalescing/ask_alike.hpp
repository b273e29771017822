// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_ASK_ALIKE_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_ASK_ALIKE_HPP

#include <haloheap/allocators/coalescing/all_alike.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace haloheap::allocators {

/// Memory for each thread of a team, all of which call at the same place and ask for as much: what the
/// compiler of [Blach2022] finds out (section 3.1) and tells heaps that can make use of it. With all others
/// it is heap.allocate(bytes).
template <class Handle, class Member>
KOKKOS_FUNCTION void* ask_alike(const Handle& heap, const Member& member, std::size_t bytes) {
  if constexpr (requires { heap.allocate(member, bytes, detail::AllAlike{}); }) {
    return heap.allocate(member, bytes, detail::AllAlike{});
  } else if constexpr (requires { heap.allocate(bytes, detail::AllAlike{}); }) {
    return heap.allocate(bytes, detail::AllAlike{});
  } else {
    return heap.allocate(bytes);
  }
}

}  // namespace haloheap::allocators

#endif
