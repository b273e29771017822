// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_RESOURCE_HPP
#define HALOHEAP_CORE_MEMORY_RESOURCE_HPP

#include <haloheap/core/backend/memory_properties.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace haloheap::memory {

/// A block that a resource gave out: hand it back unchanged to MemoryResource::deallocate.
struct Allocation {
  void* data = nullptr;
  std::size_t bytes = 0;
  std::size_t alignment = backend::default_alignment;
};

/// A source of memory, chosen by name at run time (see registry.hpp). Called from the host; thread-safe.
class MemoryResource {
 public:
  MemoryResource() = default;
  MemoryResource(const MemoryResource&) = delete;
  MemoryResource& operator=(const MemoryResource&) = delete;
  virtual ~MemoryResource() = default;

  /// `bytes` bytes, their address a multiple of `alignment` (a power of two, bytes). Zero bytes give an
  /// address of their own that must not be read or written. Never returns null. `label` stands in error
  /// messages and traces. \throws OutOfMemory when there is not enough; UsageError for an alignment that this
  /// resource cannot give
  Allocation allocate(std::size_t bytes, std::size_t alignment = backend::default_alignment,
                      std::string_view label = "");

  /// Gives a block back; one whose data is null is ignored.
  void deallocate(const Allocation& allocation) noexcept;

  virtual backend::Properties properties() const = 0;

  /// The name in the registry; adaptors wrap it: "limiting(device)".
  virtual std::string name() const = 0;

 private:
  virtual void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) = 0;
  virtual void do_deallocate(const Allocation& allocation) noexcept = 0;
};

}  // namespace haloheap::memory

#endif
