// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ASK_ALIKE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ASK_ALIKE_HPP

#include <haloheap/allocators/coalescing/all_alike.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap {

/// All threads of the team ask for as much, and at the same place: what a compiler finds out, and tells those
/// that can make use of it ([Blach2022], section 3.1).
template <class Handle, class Member>
KOKKOS_FUNCTION void* ask_alike(const Handle& heap, const Member& member, std::size_t bytes) {
  if constexpr (requires { heap.allocate(member, bytes, allocators::detail::AllAlike{}); }) {
    return heap.allocate(member, bytes, allocators::detail::AllAlike{});
  } else if constexpr (requires { heap.allocate(bytes, allocators::detail::AllAlike{}); }) {
    return heap.allocate(bytes, allocators::detail::AllAlike{});
  } else {
    return heap.allocate(bytes);
  }
}

}  // namespace haloheap

#endif
