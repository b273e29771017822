// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESOURCE_ENTRY_HPP
#define HALOHEAP_CORE_MEMORY_RESOURCE_ENTRY_HPP

#include <haloheap/core/memory/resource.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace haloheap::memory {

/// What can be said of a resource when it is made.
struct ResourceOptions {
  std::size_t pool_bytes = 0;  ///< of those that are `pooled`; 0: default_pool_bytes
};

/// Of a pool that nobody has said the size of.
inline constexpr std::size_t default_pool_bytes = std::size_t{1} << 30;

/// A memory resource as the registry knows it.
struct ResourceEntry {
  std::string name;
  std::string help;
  std::string (*unavailable_reason)();  ///< empty: it can be made here
  std::shared_ptr<MemoryResource> (*make)(const ResourceOptions& options);
  bool pooled = false;   ///< takes one block when it is made, and hands out parts of it
  bool on_host = false;  ///< stands in the host's memory; managed memory stands where it is used

  bool available() const { return unavailable_reason().empty(); }
};

}  // namespace haloheap::memory

#endif
