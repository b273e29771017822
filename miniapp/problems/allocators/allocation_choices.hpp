// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATION_CHOICES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATION_CHOICES_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap {

/// What a thread of problem allocation computes from its own array: "Coalescing Memory Allocations for GPU
/// MPI", listing 2, has linear and quadratic; the others differ in the order of access.
enum class AllocationWork { linear, quadratic, strided, gather, transposed };

template <>
inline constexpr auto names_of<AllocationWork> =
    name_table<AllocationWork>("workload", {{AllocationWork::linear, "linear"},
                                            {AllocationWork::quadratic, "quadratic"},
                                            {AllocationWork::strided, "strided"},
                                            {AllocationWork::gather, "gather"},
                                            {AllocationWork::transposed, "transposed"}});

}  // namespace haloheap

#endif
