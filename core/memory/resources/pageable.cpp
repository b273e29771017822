// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/memory/resources/pageable.hpp>

namespace haloheap {

using backend::MemoryKind;

PageableResource::PageableResource()
    : device_(backend::current_device()), properties_(backend::properties(MemoryKind::pageable, device_)) {}

void* PageableResource::do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  return backend::allocate({MemoryKind::pageable, bytes, alignment, label, device_});
}

void PageableResource::do_deallocate(const Allocation& allocation) noexcept {
  backend::deallocate(MemoryKind::pageable, allocation.data, allocation.bytes, device_);
}

}  // namespace haloheap
