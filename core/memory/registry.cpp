// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/memory/resource_list.hpp>

#include <mutex>
#include <utility>

namespace haloheap::memory {
namespace {

/// The one list of the process.
struct Resources {
  std::mutex mutex;
  Registry<ResourceEntry> registry{"memory resource", resource_list()};

  static Resources& instance() {
    static Resources resources;
    return resources;
  }
};

}  // namespace

Registry<ResourceEntry> memory_resources() {
  Resources& resources = Resources::instance();
  const std::scoped_lock lock(resources.mutex);
  return resources.registry;
}

std::shared_ptr<MemoryResource> make_memory_resource(std::string_view name, const ResourceOptions& options) {
  return memory_resources().available(name).make(options);
}

void add_memory_resources(const std::vector<ResourceEntry>& added) {
  Resources& resources = Resources::instance();
  const std::scoped_lock lock(resources.mutex);
  Registry<ResourceEntry> all = resources.registry;
  for (const ResourceEntry& entry : added) all.add(entry);
  resources.registry = std::move(all);
}

}  // namespace haloheap::memory
