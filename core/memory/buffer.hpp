// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_BUFFER_HPP
#define HALOHEAP_CORE_MEMORY_BUFFER_HPP

#include <haloheap/core/memory/resource.hpp>

#include <memory>
#include <string_view>
#include <utility>

namespace haloheap::memory {

/// Raw bytes of a resource, given back in the end: without the header that Kokkos puts before a View's data,
/// which is written through the resource and shows where transfers are measured. Move-only.
class Buffer {
 public:
  Buffer() = default;
  /// \throws OutOfMemory
  Buffer(std::shared_ptr<MemoryResource> resource, std::size_t bytes, std::string_view label)
      : resource_(std::move(resource)),
        allocation_(resource_->allocate(bytes, backend::default_alignment, label)) {}
  ~Buffer() {
    if (resource_) resource_->deallocate(allocation_);
  }
  Buffer(Buffer&&) noexcept = default;
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(resource_, other.resource_);
    std::swap(allocation_, other.allocation_);
    return *this;
  }

  std::byte* data() const { return static_cast<std::byte*>(allocation_.data); }
  std::size_t bytes() const { return allocation_.bytes; }

 private:
  std::shared_ptr<MemoryResource> resource_;  // null: moved from
  Allocation allocation_;
};

}  // namespace haloheap::memory

#endif
