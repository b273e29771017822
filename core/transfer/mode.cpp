// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/transfer/mode.hpp>

namespace haloheap::transfer {

std::unique_ptr<Mode> make_mode(std::string_view name, const ResourceMaker& resources) {
  const ModeEntry& entry = modes().available(name);
  if (resources) return entry.make(resources);
  return entry.make([](const std::string& resource) { return memory::make_memory_resource(resource); });
}

}  // namespace haloheap::transfer
