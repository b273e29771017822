// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_HASH_JOIN_CHOICES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_HASH_JOIN_CHOICES_HPP

#include <haloheap/core/base/names.hpp>

namespace haloheap {

/// Who fills a list of output pages (deck: hash_join.list).
enum class ListOwner { thread, warp };

template <>
inline constexpr auto names_of<ListOwner> = name_table<ListOwner>("owner", {{ListOwner::thread, "thread"},
                                                                            {ListOwner::warp, "warp"}});

}  // namespace haloheap

#endif
