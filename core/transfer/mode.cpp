// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/transfer/mode_entry.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace haloheap::transfer {
namespace {

const ModeEntry* find(const std::string& name) {
  const auto& list = mode_list();
  const auto entry =
      std::find_if(list.begin(), list.end(), [&](const ModeEntry& e) { return e.name == name; });
  return entry == list.end() ? nullptr : &*entry;
}

/// The nearest mode that works here.
std::string nearest_of(const ModeEntry& missing) {
  const ModeEntry* entry = find(missing.nearest);
  while (entry != nullptr && !entry->unavailable_reason().empty()) entry = find(entry->nearest);
  return entry == nullptr ? "" : entry->name;
}

}  // namespace

std::vector<std::string> mode_names() {
  std::vector<std::string> all;
  for (const ModeEntry& entry : mode_list()) all.emplace_back(entry.name);
  return all;
}

std::vector<ModeInfo> modes() {
  std::vector<ModeInfo> infos;
  for (const ModeEntry& entry : mode_list())
    infos.push_back({entry.name, entry.help, entry.unavailable_reason(), nearest_of(entry)});
  return infos;
}

std::unique_ptr<Mode> make_mode(const std::string& name, const ResourceMaker& resources) {
  const ModeEntry* const entry = find(name);
  if (entry == nullptr)
    throw UsageError(fmt::format("there is no transfer mode '{}'", name), "nothing was transferred",
                     fmt::format("use one of: {}", fmt::join(mode_names(), ", ")));
  if (const std::string reason = entry->unavailable_reason(); !reason.empty()) {
    const std::string nearest = nearest_of(*entry);
    throw CapabilityError(
        fmt::format("transfer mode '{}' cannot be had here: {}", name, reason), "nothing was transferred",
        nearest.empty() ? "" : fmt::format("the nearest mode that works here is '{}'", nearest));
  }
  if (resources) return entry->make(resources);
  return entry->make([](const std::string& resource) { return make_memory_resource(resource); });
}

}  // namespace haloheap::transfer
