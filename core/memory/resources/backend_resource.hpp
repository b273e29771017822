// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESOURCES_BACKEND_RESOURCE_HPP
#define HALOHEAP_CORE_MEMORY_RESOURCES_BACKEND_RESOURCE_HPP

#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/memory/resource.hpp>

namespace haloheap {

/// Memory as the backend gives it: of the device that is current when this is made, page-locked, managed or
/// ordinary. On the host backend the device is emulated.
class BackendResource final : public MemoryResource {
 public:
  explicit BackendResource(backend::MemoryKind kind);
  Properties properties() const override { return properties_; }
  std::string name() const override { return std::string(backend::to_string(kind_)); }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const Allocation& allocation) noexcept override;

  backend::MemoryKind kind_;
  int device_;
  Properties properties_;
};

}  // namespace haloheap

#endif
