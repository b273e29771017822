// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_CHOICES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_CHOICES_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap {

/// What the threads do (deck: malloc.pattern).
enum class MallocPattern { allocate, allocate_free, churn, fill };

template <>
inline constexpr auto names_of<MallocPattern> =
    name_table<MallocPattern>("pattern", {{MallocPattern::allocate, "allocate"},
                                          {MallocPattern::allocate_free, "allocate_free"},
                                          {MallocPattern::churn, "churn"},
                                          {MallocPattern::fill, "fill"}});

/// The heap before each repetition (deck: malloc.state).
enum class HeapStart { warm, cold };

template <>
inline constexpr auto names_of<HeapStart> = name_table<HeapStart>("state", {{HeapStart::warm, "warm"},
                                                                            {HeapStart::cold, "cold"}});

/// Warps that run side by side in the kernel that allocates (deck: malloc.occupancy).
enum class Occupancy { any, full };

template <>
inline constexpr auto names_of<Occupancy> = name_table<Occupancy>("occupancy", {{Occupancy::any, "any"},
                                                                                {Occupancy::full, "full"}});

}  // namespace haloheap

#endif
