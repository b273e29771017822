// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESOURCES_MANAGED_HPP
#define HALOHEAP_CORE_MEMORY_RESOURCES_MANAGED_HPP

#include <haloheap/core/memory/resource.hpp>

namespace haloheap {

/// One address for host and device, the pages move by themselves (cudaMallocManaged). On the host backend:
/// ordinary host memory.
class ManagedResource final : public MemoryResource {
 public:
  ManagedResource();
  Properties properties() const override { return properties_; }
  std::string name() const override { return "managed"; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const Allocation& allocation) noexcept override;

  int device_;
  Properties properties_;
};

}  // namespace haloheap

#endif
