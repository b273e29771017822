// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_CHOICES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_CHOICES_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap {

enum class Collective { reduce, broadcast, alltoall };

template <>
inline constexpr auto names_of<Collective> = name_table<Collective>("collective",
                                                                    {{Collective::reduce, "reduce"},
                                                                     {Collective::broadcast, "broadcast"},
                                                                     {Collective::alltoall, "alltoall"}});

}  // namespace haloheap

#endif
