// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/pool_finder.hpp>

#include <algorithm>
#include <utility>

namespace haloheap::allocators::detail {

PoolFinder::PoolFinder(std::shared_ptr<memory::MemoryResource> upstream)
    : memory::ResourceAdaptor(std::move(upstream)) {}

std::span<std::byte> PoolFinder::pool() const {
  const std::scoped_lock lock(mutex_);
  const auto key = [](const auto& block) { return std::pair(block.second.is_pool, block.second.bytes); };
  const auto pool = std::max_element(blocks_.begin(), blocks_.end(),
                                     [key](const auto& a, const auto& b) { return key(a) < key(b); });
  if (pool == blocks_.end()) return {};
  return {static_cast<std::byte*>(pool->first), pool->second.bytes};
}

void* PoolFinder::do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  void* const data = upstream().allocate(bytes, alignment, label).data;
  const std::scoped_lock lock(mutex_);
  blocks_[data] = {bytes, label.ends_with("_pool")};
  return data;
}

void PoolFinder::do_deallocate(const memory::Allocation& allocation) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    blocks_.erase(allocation.data);
  }
  upstream().deallocate(allocation);
}

HeapConfig with_finder(HeapConfig config, std::shared_ptr<PoolFinder> finder) {
  config.memory = std::move(finder);
  return config;
}

}  // namespace haloheap::allocators::detail
