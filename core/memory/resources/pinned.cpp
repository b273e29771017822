// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/memory/resources/pinned.hpp>

namespace haloheap {

using backend::MemoryKind;

PinnedResource::PinnedResource()
    : device_(backend::current_device()), properties_(backend::properties(MemoryKind::pinned, device_)) {}

void* PinnedResource::do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  return backend::allocate({MemoryKind::pinned, bytes, alignment, label, device_});
}

void PinnedResource::do_deallocate(const Allocation& allocation) noexcept {
  backend::deallocate(MemoryKind::pinned, allocation.data, allocation.bytes, device_);
}

}  // namespace haloheap
