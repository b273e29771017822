// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/memory/space.hpp>

#define KOKKOS_IMPL_PUBLIC_INCLUDE
#include <impl/Kokkos_SharedAlloc_timpl.hpp>
#undef KOKKOS_IMPL_PUBLIC_INCLUDE
#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <map>
#include <mutex>

KOKKOS_IMPL_SHARED_ALLOCATION_RECORD_EXPLICIT_INSTANTIATION(haloheap::memory::PageableSpace);
KOKKOS_IMPL_HOST_INACCESSIBLE_SHARED_ALLOCATION_RECORD_EXPLICIT_INSTANTIATION(haloheap::memory::DeviceSpace);
KOKKOS_IMPL_SHARED_ALLOCATION_RECORD_EXPLICIT_INSTANTIATION(haloheap::memory::SharedSpace);

namespace haloheap::memory::detail {
namespace {

struct Buffer {
  Allocation allocation;
  std::shared_ptr<MemoryResource> resource;
};

/// Kokkos hides the space of a View's record, and haloheap::resize has to find the resource again.
class LiveBlocks {
 public:
  void insert(const Buffer& block) {
    const std::scoped_lock lock(mutex_);
    blocks_.emplace(block.allocation.data, block);
  }

  Buffer extract(const void* data) {
    const std::scoped_lock lock(mutex_);
    auto node = blocks_.extract(data);
    return node.empty() ? Buffer{} : node.mapped();
  }

  std::shared_ptr<MemoryResource> owner_of(const void* address) const {
    const std::scoped_lock lock(mutex_);
    auto next = blocks_.upper_bound(address);
    if (next == blocks_.begin()) return nullptr;
    const Buffer& block = std::prev(next)->second;
    const void* const end = static_cast<const char*>(block.allocation.data) + block.allocation.bytes;
    return std::less<>{}(address, end) ? block.resource : nullptr;
  }

 private:
  mutable std::mutex mutex_;
  std::map<const void*, Buffer, std::less<>> blocks_;
};

LiveBlocks& live_blocks() {
  static LiveBlocks blocks;
  return blocks;
}

}  // namespace

std::shared_ptr<MemoryResource> default_resource(backend::SpaceKind kind) {
  switch (kind) {
    case backend::SpaceKind::pageable: {
      static const auto pageable = make_memory_resource("pageable");
      return pageable;
    }
    case backend::SpaceKind::device: {
      static const auto device = make_memory_resource("device");
      return device;
    }
    case backend::SpaceKind::shared: {
      static const auto managed = make_memory_resource("managed");
      return managed;
    }
  }
  throw InternalError("unknown kind of memory space");
}

std::shared_ptr<MemoryResource> require_fit(backend::SpaceKind kind,
                                            std::shared_ptr<MemoryResource> resource) {
  if (resource == nullptr)
    throw UsageError(fmt::format("memory space {} needs a memory resource", detail::space_name(kind)));
  const backend::Properties properties = resource->properties();
  const bool host_fits = kind == backend::SpaceKind::device || properties.host_accessible;
  const bool device_fits = kind == backend::SpaceKind::pageable || properties.device_accessible;
  if (host_fits && device_fits) return resource;
  throw UsageError(
      fmt::format("memory space {} cannot stand on memory resource '{}': the {} cannot access it",
                  detail::space_name(kind), resource->name(), host_fits ? "device" : "host"),
      "a View there would fault on its first access",
      "use PageableSpace for host memory, DeviceSpace for device memory, SharedSpace for both");
}

void* allocate(const std::shared_ptr<MemoryResource>& resource, const char* space, const char* label,
               std::size_t bytes, std::size_t logical_bytes) {
  const Buffer block{resource->allocate(bytes, backend::default_alignment, label), resource};
  live_blocks().insert(block);
  if (Kokkos::Profiling::profileLibraryLoaded()) {
    Kokkos::Profiling::allocateData(Kokkos::Tools::make_space_handle(space), label, block.allocation.data,
                                    logical_bytes > 0 ? logical_bytes : bytes);
  }
  return block.allocation.data;
}

void deallocate(const char* space, const char* label, void* data, std::size_t bytes,
                std::size_t logical_bytes) {
  if (data == nullptr) return;
  if (Kokkos::Profiling::profileLibraryLoaded()) {
    Kokkos::Profiling::deallocateData(Kokkos::Tools::make_space_handle(space), label, data,
                                      logical_bytes > 0 ? logical_bytes : bytes);
  }
  const Buffer block = live_blocks().extract(data);
  if (block.resource == nullptr)
    Kokkos::abort("haloheap: a memory space was given a block that it does not own");
  block.resource->deallocate(block.allocation);
}

std::shared_ptr<MemoryResource> owner_of(const void* address) {
  return live_blocks().owner_of(address);
}

}  // namespace haloheap::memory::detail
