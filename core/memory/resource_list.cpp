// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/memory/resource_list.hpp>
#include <haloheap/core/memory/resources/backend_resource.hpp>
#include <haloheap/core/memory/resources/huge_pages.hpp>

namespace haloheap::memory {
namespace {

template <backend::MemoryKind kind>
std::shared_ptr<MemoryResource> make(const ResourceOptions& /*options*/) {
  return std::make_shared<detail::BackendResource>(kind);
}

template <backend::MemoryKind kind>
std::string missing() {
  return backend::unavailable_reason(kind);
}

}  // namespace

const std::vector<ResourceEntry>& resource_list() {
  using enum backend::MemoryKind;
  static const std::vector<ResourceEntry> list{
      {"device", "memory of the device; the host reaches it by copies", missing<device>, make<device>},
      {"pinned", "page-locked host memory; fast copies, the device reaches it too", missing<pinned>,
       make<pinned>, false, true},
      {"pageable", "ordinary host memory; copies go through the driver's staging buffer", missing<pageable>,
       make<pageable>, false, true},
      {"huge_pages", "ordinary host memory in huge pages (2 MiB, as a rule), where the kernel finds them",
       huge_pages_missing, make_huge_pages, false, true},
      {"registered", "ordinary host memory, page-locked when it is taken", missing<registered>,
       make<registered>, false, true},
      {"write_combined", "page-locked host memory past the caches: fast to write, very slow to read",
       missing<write_combined>, make<write_combined>, false, true},
      {"managed", "one address for host and device; pages move on first use", missing<managed>,
       make<managed>},
  };
  return list;
}

}  // namespace haloheap::memory
