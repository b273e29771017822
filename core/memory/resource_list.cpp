// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/memory/resource_list.hpp>
#include <haloheap/core/memory/resources/device.hpp>
#include <haloheap/core/memory/resources/managed.hpp>
#include <haloheap/core/memory/resources/pageable.hpp>
#include <haloheap/core/memory/resources/pinned.hpp>

namespace haloheap {
namespace {

template <class Resource>
std::shared_ptr<MemoryResource> make() {
  return std::make_shared<Resource>();
}

template <backend::MemoryKind kind>
std::string missing() {
  return backend::unavailable_reason(kind);
}

}  // namespace

const std::vector<ResourceEntry>& resource_list() {
  using enum backend::MemoryKind;
  static const std::vector<ResourceEntry> list{
      {"device", "memory of the device; the host reaches it by copies", missing<device>,
       make<DeviceResource>},
      {"pinned", "page-locked host memory; fast copies, the device reaches it too", missing<pinned>,
       make<PinnedResource>},
      {"pageable", "ordinary host memory; copies go through the driver's staging buffer", missing<pageable>,
       make<PageableResource>},
      {"managed", "one address for host and device; pages move on first use", missing<managed>,
       make<ManagedResource>},
  };
  return list;
}

}  // namespace haloheap
