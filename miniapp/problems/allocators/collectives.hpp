// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// The MPI benchmark of "Coalescing Memory Allocations for GPU MPI", section 4.2, without the compiler.
std::unique_ptr<Problem> make_collectives();

}  // namespace haloheap

#endif
