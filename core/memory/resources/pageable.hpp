// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESOURCES_PAGEABLE_HPP
#define HALOHEAP_CORE_MEMORY_RESOURCES_PAGEABLE_HPP

#include <haloheap/core/memory/resource.hpp>

namespace haloheap {

/// Ordinary host memory. Kernels read it only where the device can walk the page tables of the host.
class PageableResource final : public MemoryResource {
 public:
  PageableResource();
  Properties properties() const override { return properties_; }
  std::string name() const override { return "pageable"; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const Allocation& allocation) noexcept override;

  int device_;
  Properties properties_;
};

}  // namespace haloheap

#endif
