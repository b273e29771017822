// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_ALL_ALIKE_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_ALL_ALIKE_HPP

namespace haloheap::allocators::detail {

/// Says to allocate what a compiler (or a programmer) has found out: all threads of the team, or all lanes
/// that call together, ask for the same number of bytes. Where each part lies then follows from the thread's
/// number, without a word between the threads ([Blach2022], section 3.1).
struct AllAlike {};
inline constexpr AllAlike all_alike{};

}  // namespace haloheap::allocators::detail

#endif
