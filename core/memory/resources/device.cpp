// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/memory/resources/device.hpp>

namespace haloheap {

using backend::MemoryKind;

DeviceResource::DeviceResource()
    : device_(backend::current_device()), properties_(backend::properties(MemoryKind::device, device_)) {}

void* DeviceResource::do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  return backend::allocate({MemoryKind::device, bytes, alignment, label, device_});
}

void DeviceResource::do_deallocate(const Allocation& allocation) noexcept {
  backend::deallocate(MemoryKind::device, allocation.data, allocation.bytes, device_);
}

}  // namespace haloheap
