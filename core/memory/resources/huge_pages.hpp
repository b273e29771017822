// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESOURCES_HUGE_PAGES_HPP
#define HALOHEAP_CORE_MEMORY_RESOURCES_HUGE_PAGES_HPP

#include <haloheap/core/memory/resource_entry.hpp>

#include <memory>
#include <string>

namespace haloheap::memory {

/// Ordinary host memory in huge pages. A request takes whole pages, so at most one page more than it asks
/// for; one that is smaller than a page is as `pageable` gives it. To everybody else it is pageable memory:
/// who may reach it, and how it is copied, is the same.
std::shared_ptr<MemoryResource> make_huge_pages(const ResourceOptions& options);

/// Empty if this machine has it.
std::string huge_pages_missing();

}  // namespace haloheap::memory

#endif
