// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/memory/resource_list.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace haloheap {
namespace {

std::string name_list(bool available_only) {
  std::string names;
  for (const ResourceEntry& entry : resource_list()) {
    if (available_only && !entry.unavailable_reason().empty()) continue;
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  return names;
}

}  // namespace

std::vector<ResourceInfo> memory_resources() {
  std::vector<ResourceInfo> infos;
  for (const ResourceEntry& entry : resource_list()) {
    infos.push_back({entry.name, entry.help, entry.unavailable_reason()});
  }
  return infos;
}

std::shared_ptr<MemoryResource> make_memory_resource(std::string_view name) {
  const auto& list = resource_list();
  const auto entry =
      std::find_if(list.begin(), list.end(), [&](const ResourceEntry& e) { return e.name == name; });
  if (entry == list.end()) {
    throw UsageError(fmt::format("there is no memory resource '{}'", name), "nothing was allocated",
                     fmt::format("use one of: {}", name_list(false)));
  }
  if (const std::string reason = entry->unavailable_reason(); !reason.empty()) {
    throw CapabilityError(fmt::format("memory resource '{}' cannot be had here: {}", name, reason),
                          "nothing was allocated", fmt::format("available here: {}", name_list(true)));
  }
  return entry->make();
}

}  // namespace haloheap
