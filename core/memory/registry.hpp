// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_REGISTRY_HPP
#define HALOHEAP_CORE_MEMORY_REGISTRY_HPP

#include <haloheap/core/base/registry.hpp>
#include <haloheap/core/memory/resource_entry.hpp>

#include <memory>
#include <string_view>
#include <vector>

namespace haloheap::memory {

/// All memory resources, also those that this build or machine cannot give: those of now, as others may be
/// added. Thread-safe.
Registry<ResourceEntry> memory_resources();

/// The resource of that name, on the device that is current now.
/// \throws UsageError for a name that does not exist; CapabilityError if it cannot be had here
std::shared_ptr<MemoryResource> make_memory_resource(std::string_view name,
                                                     const ResourceOptions& options = {});

/// Adds resources that this library does not know, for the rest of the process. Thread-safe.
/// \throws UsageError for a name that there is already; then none is added
void add_memory_resources(const std::vector<ResourceEntry>& entries);

}  // namespace haloheap::memory

#endif
