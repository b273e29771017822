// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/limiting.hpp>

#include <fmt/format.h>

namespace haloheap::memory {

LimitingResource::LimitingResource(std::shared_ptr<MemoryResource> upstream, std::size_t limit)
    : ResourceAdaptor(std::move(upstream)), limit_(limit) {}

std::size_t LimitingResource::live_bytes() const {
  const std::scoped_lock lock(mutex_);
  return live_;
}

void LimitingResource::reserve(std::size_t bytes, std::string_view label) {
  const std::scoped_lock lock(mutex_);
  if (bytes > limit_ - live_) {
    throw OutOfMemory(bytes,
                      fmt::format("out of {} memory: '{}' needs {} bytes, {} are left of a limit of {}",
                                  upstream().name(), label, bytes, limit_ - live_, limit_),
                      "the block was not allocated", "raise the limit, or use a smaller problem");
  }
  live_ += bytes;
}

void LimitingResource::release(std::size_t bytes) noexcept {
  const std::scoped_lock lock(mutex_);
  live_ -= bytes;
}

void* LimitingResource::do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  reserve(bytes, label);
  try {
    return upstream().allocate(bytes, alignment, label).data;
  } catch (...) {
    release(bytes);
    throw;
  }
}

void LimitingResource::do_deallocate(const Allocation& allocation) noexcept {
  upstream().deallocate(allocation);
  release(allocation.bytes);
}

}  // namespace haloheap::memory
