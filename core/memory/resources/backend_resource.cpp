// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/memory/resources/backend_resource.hpp>

namespace haloheap::memory::detail {

BackendResource::BackendResource(backend::MemoryKind kind)
    : BackendResource(kind, backend::current_device()) {}

BackendResource::BackendResource(backend::MemoryKind kind, int device)
    : kind_(kind), device_(device), properties_(backend::properties(kind, device)) {}

void* BackendResource::do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  return backend::allocate({kind_, bytes, alignment, label, device_});
}

void BackendResource::do_deallocate(const Allocation& allocation) noexcept {
  backend::deallocate(kind_, allocation.data, allocation.bytes, device_);
}

}  // namespace haloheap::memory::detail
