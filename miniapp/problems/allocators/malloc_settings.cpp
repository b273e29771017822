// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/block_lists.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_settings.hpp>

#include <fmt/format.h>

#include <limits>

namespace haloheap {
namespace {

using deck::Deck;

int number(const Deck& deck, const char* key) {
  return static_cast<int>(deck.get<std::int64_t>(key));
}

RequestSizes read_sizes(const Deck& deck, const AllocatorSettings& allocator) {
  RequestSizes sizes;
  sizes.smallest = static_cast<std::uint32_t>(number(deck, "malloc.size"));
  sizes.largest = static_cast<std::uint32_t>(number(deck, "malloc.largest"));
  const char* const key = sizes.largest == 0 ? "malloc.size" : "malloc.largest";
  if (sizes.largest == 0) sizes.largest = sizes.smallest;
  if (sizes.largest < sizes.smallest)
    deck.reject("malloc.largest",
                fmt::format("{} bytes are less than malloc.size = {}", sizes.largest, sizes.smallest),
                "use a larger one, or 0 for requests that are all alike");
  if (sizes.largest > allocator.promises.largest)
    deck.reject(key,
                fmt::format("'{}' serves no more than {} bytes a request, not {}", allocator.name,
                            allocator.promises.largest, sizes.largest),
                "use a smaller size, a larger allocator.pool or allocator.page, or another allocator");
  sizes.seed = static_cast<std::uint32_t>(allocator.seed);
  return sizes;
}

/// Blocks that are in lists hold a pointer, and there are as many as the pool has room for.
void check_lists(const Deck& deck, const MallocSettings& malloc, const char* key) {
  if (!malloc.allocator.promises.resets)
    deck.reject(key,
                fmt::format("'{}' does not keep to its pool, and so is never full", malloc.allocator.name),
                "use another allocator");
  if (malloc.sizes.smallest < block_lists::least_bytes)
    deck.reject("malloc.size",
                fmt::format("blocks that fill a pool hold a pointer, and {} bytes have no room for it",
                            malloc.sizes.smallest),
                fmt::format("use at least {}", block_lists::least_bytes));
}

void check_rules(const Deck& deck, const MallocSettings& malloc) {
  require_allocator(deck, lane_allocators(),
                    malloc.allocator.team ? "whole teams call it, and here each thread does for itself"
                                          : "it is there for comparisons in other problems");
  const bool frees = malloc.allocator.promises.frees;
  const bool gives_back =
      malloc.pattern == MallocPattern::churn || malloc.pattern == MallocPattern::allocate_free;
  if (gives_back && !frees)
    deck.reject("malloc.pattern", fmt::format("'{}' frees nothing before a reset", malloc.allocator.name),
                "use malloc.pattern = \"allocate\" or \"fill\", or another allocator");
  if (malloc.free_share < 1) {
    if (malloc.pattern == MallocPattern::fill)
      deck.reject("malloc.free", "pattern \"fill\" starts with an empty pool", "leave malloc.free out");
    if (malloc.cold)
      deck.reject("malloc.free", "a heap that is reset before each repetition is empty",
                  "use malloc.state = \"warm\", or leave malloc.free out");
    if (!frees)
      deck.reject("malloc.free", fmt::format("'{}' frees nothing before a reset", malloc.allocator.name),
                  "leave malloc.free out, or use another allocator");
    check_lists(deck, malloc, "malloc.free");
  }
  if (malloc.pattern == MallocPattern::fill) check_lists(deck, malloc, "malloc.pattern");
}

}  // namespace

MallocSettings read_malloc(const Deck& deck) {
  MallocSettings malloc;
  malloc.allocator = read_allocator(deck);
  malloc.pattern = deck.choice<MallocPattern>("malloc.pattern");
  malloc.threads = number(deck, "malloc.threads");
  malloc.sizes = read_sizes(deck, malloc.allocator);
  malloc.cold = deck.choice<HeapStart>("malloc.state") == HeapStart::cold;
  malloc.full_occupancy = deck.choice<Occupancy>("malloc.occupancy") == Occupancy::full;
  malloc.free_share = deck.get<double>("malloc.free") / 100;
  malloc.rounds = number(deck, "malloc.rounds");
  if (malloc.pattern == MallocPattern::churn) malloc.held = number(deck, "malloc.held");
  if (malloc.held > std::numeric_limits<int>::max() / malloc.threads)
    deck.reject("malloc.held",
                fmt::format("{} threads with {} blocks each hold more than can be counted", malloc.threads,
                            malloc.held),
                "use fewer threads, or fewer blocks");
  malloc.repetitions = number(deck, "run.repetitions");
  malloc.warm_ups = number(deck, "run.warmup");
  malloc.verify = deck.get<bool>("run.verify");
  check_rules(deck, malloc);
  return malloc;
}

}  // namespace haloheap
