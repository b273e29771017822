// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/backend/migration.hpp>
#include <haloheap/core/transfer/modes/copied.hpp>
#include <haloheap/core/transfer/modes/in_place.hpp>
#include <haloheap/core/transfer/modes/one_sided.hpp>

namespace haloheap::transfer::detail {

std::unique_ptr<Mode> make_mapped(const ResourceMaker& resources) {
  return std::make_unique<OneSided>(resources, "pinned");
}

std::string mapped_missing() {
  const std::string pinned = pinned_missing();
  if (!pinned.empty()) return pinned;
  const backend::Properties properties =
      backend::properties(backend::MemoryKind::pinned, backend::current_device());
  return properties.device_accessible ? "" : "the device does not reach page-locked host memory";
}

std::unique_ptr<Mode> make_system(const ResourceMaker& resources) {
  return std::make_unique<OneSided>(resources, "pageable");
}

std::string system_missing() {
  return backend::pageable_access_unavailable_reason();
}

}  // namespace haloheap::transfer::detail
