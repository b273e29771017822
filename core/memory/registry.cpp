// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/memory/resource_list.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace haloheap {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<ResourceEntry> entries = resource_list();

  static Registry& instance() {
    static Registry registry;
    return registry;
  }
};

std::vector<ResourceEntry> entries() {
  Registry& registry = Registry::instance();
  const std::scoped_lock lock(registry.mutex);
  return registry.entries;
}

auto find(const std::vector<ResourceEntry>& list, std::string_view name) {
  return std::find_if(list.begin(), list.end(), [&](const ResourceEntry& e) { return e.name == name; });
}

std::string name_list(const std::vector<ResourceEntry>& list, bool available_only) {
  std::string names;
  for (const ResourceEntry& entry : list) {
    if (available_only && !entry.unavailable_reason().empty()) continue;
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  return names;
}

}  // namespace

std::vector<ResourceInfo> memory_resources() {
  std::vector<ResourceInfo> infos;
  for (const ResourceEntry& entry : entries()) {
    infos.push_back({entry.name, entry.help, entry.unavailable_reason(), entry.pooled});
  }
  return infos;
}

std::shared_ptr<MemoryResource> make_memory_resource(std::string_view name, const ResourceOptions& options) {
  const std::vector<ResourceEntry> list = entries();
  const auto entry = find(list, name);
  if (entry == list.end()) {
    throw UsageError(fmt::format("there is no memory resource '{}'", name), "nothing was allocated",
                     fmt::format("use one of: {}", name_list(list, false)));
  }
  if (const std::string reason = entry->unavailable_reason(); !reason.empty()) {
    throw CapabilityError(fmt::format("memory resource '{}' cannot be had here: {}", name, reason),
                          "nothing was allocated", fmt::format("available here: {}", name_list(list, true)));
  }
  return entry->make(options);
}

void add_memory_resources(const std::vector<ResourceEntry>& added) {
  Registry& registry = Registry::instance();
  const std::scoped_lock lock(registry.mutex);
  std::vector<ResourceEntry> all = registry.entries;
  for (const ResourceEntry& entry : added) {
    if (find(all, entry.name) != all.end())
      throw UsageError(fmt::format("there is a memory resource '{}' already", entry.name),
                       "no memory resource was added", "give it another name, and add it once");
    all.push_back(entry);
  }
  registry.entries = std::move(all);
}

}  // namespace haloheap
