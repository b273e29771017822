// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/arena.hpp>
#include <haloheap/allocators/arena_list.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <mutex>

namespace haloheap::allocators {
namespace {

template <class A>
std::string unavailable_reason() {
  return A::promises(HeapConfig()).copyable ? "" : "the host cannot copy what kernels have allocated there";
}

// Of allocators of pages: the host asks for few and large blocks.
constexpr std::size_t page_bytes = std::size_t{64} << 10;

template <class A>
std::shared_ptr<memory::MemoryResource> make(const memory::ResourceOptions& options) {
  return std::make_shared<ArenaOf<A>>(
      HeapConfig{.bytes = options.pool_bytes == 0 ? memory::default_pool_bytes : options.pool_bytes,
                 .label = "haloheap::arena",
                 .page_bytes = page_bytes});
}

template <class A>
bool serves(std::size_t bytes, const HeapConfig& config) {
  try {
    const Promises promises = A::promises(config);
    return promises.copyable && promises.largest >= bytes;
  } catch (const UsageError&) {
    return false;  // it cannot have such a heap
  }
}

}  // namespace

void add_arenas() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::vector<memory::ResourceEntry> entries;
    DeviceAllocators::for_each([&]<class A>() {
      entries.push_back({A::name, std::string("arena of an in-kernel allocator: ") + A::help,
                         unavailable_reason<A>, make<A>, true});
    });
    memory::add_memory_resources(entries);
  });
}

std::string arenas_that_serve(std::size_t bytes, const HeapConfig& config) {
  std::string names;
  DeviceAllocators::for_each([&]<class A>() {
    if (serves<A>(bytes, config)) names += (names.empty() ? "" : ", ") + std::string(A::name);
  });
  return names;
}

}  // namespace haloheap::allocators
