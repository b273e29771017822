// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/random_walk/collaborative_random_walk.hpp>

namespace haloheap::allocators {

CollaborativeRandomWalk::CollaborativeRandomWalk(const Exec& exec, HeapConfig config)
    : heap_(exec, std::move(config),
            {.allocator = name, .state = detail::PageHeap::State::bits, .locks = true}) {}

Promises CollaborativeRandomWalk::promises(const HeapConfig& config) {
  return {.largest = config.page_bytes, .coalescing = Coalescing::warp};
}

}  // namespace haloheap::allocators
