// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/faulty.hpp>

#include <fmt/format.h>

namespace haloheap::memory {

FaultyResource::FaultyResource(std::shared_ptr<MemoryResource> upstream, std::size_t n)
    : ResourceAdaptor(std::move(upstream)), n_(n) {
  if (n == 0) throw UsageError("the faulty memory resource counts allocations from 1", "", "use n >= 1");
}

void* FaultyResource::do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  if (++count_ == n_) {
    throw OutOfMemory(bytes,
                      fmt::format("out of {} memory: '{}' needs {} bytes, and allocation {} was told to fail",
                                  upstream().name(), label, bytes, n_),
                      "the block was not allocated", "none: this failure is injected");
  }
  return upstream().allocate(bytes, alignment, label).data;
}

void FaultyResource::do_deallocate(const Allocation& allocation) noexcept {
  upstream().deallocate(allocation);
}

}  // namespace haloheap::memory
