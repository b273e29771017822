// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <fmt/format.h>

#include <bit>

namespace haloheap::memory {
namespace {

void check_alignment(const MemoryResource& resource, std::size_t alignment, std::string_view label) {
  const std::size_t largest = resource.properties().max_alignment;
  if (std::has_single_bit(alignment) && alignment <= largest) return;
  throw UsageError(
      fmt::format("memory resource '{}' cannot align '{}' to {} bytes", resource.name(), label, alignment),
      "nothing was allocated", fmt::format("ask for a power of two from 1 to {} bytes", largest));
}

}  // namespace

Allocation MemoryResource::allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  check_alignment(*this, alignment, label);
  void* const data = do_allocate(bytes, alignment, label);
  if (data == nullptr)
    throw InternalError(fmt::format("memory resource '{}' returned null for '{}'", name(), label));
  return {data, bytes, alignment};
}

void MemoryResource::deallocate(const Allocation& allocation) noexcept {
  if (allocation.data != nullptr) do_deallocate(allocation);
}

}  // namespace haloheap::memory
