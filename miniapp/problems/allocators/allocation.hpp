// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATION_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATION_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// The unit benchmark of "Coalescing Memory Allocations for GPU MPI", section 4.1.
std::unique_ptr<Problem> make_allocation();

}  // namespace haloheap

#endif
