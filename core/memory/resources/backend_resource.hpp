// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESOURCES_BACKEND_RESOURCE_HPP
#define HALOHEAP_CORE_MEMORY_RESOURCES_BACKEND_RESOURCE_HPP

#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/memory/resource.hpp>

namespace haloheap::memory::detail {

/// Memory as the backend gives it: of a device, page-locked, managed or ordinary. On the host backend devices
/// are emulated, as many as are asked for.
class BackendResource final : public MemoryResource {
 public:
  /// Of the device that is current now.
  explicit BackendResource(backend::MemoryKind kind);
  BackendResource(backend::MemoryKind kind, int device);
  backend::Properties properties() const override { return properties_; }
  std::string name() const override { return std::string(backend::to_string(kind_)); }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const Allocation& allocation) noexcept override;

  backend::MemoryKind kind_;
  int device_;
  backend::Properties properties_;
};

}  // namespace haloheap::memory::detail

#endif
