// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESOURCE_LIST_HPP
#define HALOHEAP_CORE_MEMORY_RESOURCE_LIST_HPP

#include <haloheap/core/memory/resource_entry.hpp>

#include <vector>

namespace haloheap::memory {

/// The memory resources of this library. A new one is a file pair in resources/ and a line in
/// resource_list.cpp; other libraries add theirs by add_memory_resources (registry.hpp).
const std::vector<ResourceEntry>& resource_list();

}  // namespace haloheap::memory

#endif
