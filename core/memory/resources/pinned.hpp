// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESOURCES_PINNED_HPP
#define HALOHEAP_CORE_MEMORY_RESOURCES_PINNED_HPP

#include <haloheap/core/memory/resource.hpp>

namespace haloheap {

/// Page-locked host memory, which the device reads and writes too (cudaHostAlloc). On the host backend:
/// ordinary host memory, not locked.
class PinnedResource final : public MemoryResource {
 public:
  PinnedResource();
  Properties properties() const override { return properties_; }
  std::string name() const override { return "pinned"; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const Allocation& allocation) noexcept override;

  int device_;
  Properties properties_;
};

}  // namespace haloheap

#endif
