// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/random_walk/random_walk_bitmap.hpp>

namespace haloheap::allocators {

RandomWalkBitmap::RandomWalkBitmap(const Exec& exec, HeapConfig config)
    : heap_(exec, std::move(config), {.allocator = name, .state = detail::PageHeap::State::bits}) {}

Promises RandomWalkBitmap::promises(const HeapConfig& config) {
  return {.largest = config.page_bytes};
}

}  // namespace haloheap::allocators
