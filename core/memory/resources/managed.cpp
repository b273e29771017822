// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/memory/resources/managed.hpp>

namespace haloheap {

using backend::MemoryKind;

ManagedResource::ManagedResource()
    : device_(backend::current_device()), properties_(backend::properties(MemoryKind::managed, device_)) {}

void* ManagedResource::do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  return backend::allocate({MemoryKind::managed, bytes, alignment, label, device_});
}

void ManagedResource::do_deallocate(const Allocation& allocation) noexcept {
  backend::deallocate(MemoryKind::managed, allocation.data, allocation.bytes, device_);
}

}  // namespace haloheap
