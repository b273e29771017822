// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_POOL_FINDER_HPP
#define HALOHEAP_ALLOCATORS_POOL_FINDER_HPP

#include <haloheap/allocators/heap_config.hpp>
#include <haloheap/core/memory/adaptors/adaptor.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <span>

namespace haloheap::allocators::detail {

/// Stands between an allocator and its memory, to see where its pool is.
class PoolFinder final : public memory::ResourceAdaptor {
 public:
  explicit PoolFinder(std::shared_ptr<memory::MemoryResource> upstream);
  std::string name() const override { return wrapped_name("pool_finder"); }

  /// The block that an allocator calls its pool, by a label that ends so; else the largest one that is out.
  std::span<std::byte> pool() const;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const memory::Allocation& allocation) noexcept override;

  mutable std::mutex mutex_;
  struct Block {
    std::size_t bytes;
    bool is_pool;
  };
  std::map<void*, Block> blocks_;
};

/// The configuration of a heap whose pool the finder is to see.
HeapConfig with_finder(HeapConfig config, std::shared_ptr<PoolFinder> finder);

}  // namespace haloheap::allocators::detail

#endif
