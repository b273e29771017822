// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/random_walk/rw_malloc.hpp>

#include <algorithm>

namespace haloheap::allocators {

RwMalloc::RwMalloc(const Exec& exec, HeapConfig config)
    : heap_(exec, std::move(config),
            {.allocator = name, .state = detail::PageHeap::State::bits, .lengths = true}) {}

Promises RwMalloc::promises(const HeapConfig& config) {
  const std::size_t pool = detail::PageHeap::pages(config, name) * config.page_bytes;
  return {.largest = std::min(Handle::max_bytes, pool),
          .alignment = Handle::unit,
          .header = Handle::header,
          .coalescing = Coalescing::warp,
          .frees_alone = false};
}

}  // namespace haloheap::allocators
