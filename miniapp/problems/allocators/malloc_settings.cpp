// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/block_lists.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_settings.hpp>
#include <haloheap/miniapp/repetitions.hpp>

#include <fmt/format.h>

#include <limits>

namespace haloheap {
namespace {

constexpr double max_threads = 1 << 28;
constexpr double max_bytes = 1 << 30;

}  // namespace

void add_malloc_keys(deck::Schema& schema) {
  deck::Section& malloc = schema.section("malloc", "What threads ask for, of malloc_sweep");
  malloc.integer("threads", 16384).range(1, max_threads).unit("threads").help("Threads of the kernels");
  malloc.integer("size", 64)
      .range(0, max_bytes)
      .unit("bytes")
      .help("Of a request; of mixed sizes the smallest");
  malloc.integer("largest", 0)
      .range(0, max_bytes)
      .unit("bytes")
      .help("Of mixed sizes, uniform from size to largest; 0: all requests are alike");
  malloc.choice("pattern", MallocPattern::allocate_free)
      .help(
          "One request a thread, timed alone or with giving it back in a kernel of its own; or given back by "
          "the "
          "thread as soon as it has it (free_at_once); replacing some that a thread holds, at random; or "
          "requests "
          "until the pool is full");
  malloc.choice("state", HeapStart::warm)
      .help("The heap before each repetition: as the one before left it, or reset");
  malloc.choice("occupancy", Occupancy::any)
      .help(
          "Warps that run side by side in the kernel that allocates: as many as its registers allow, or all "
          "that a GPU has room for, with fewer registers (LaunchBounds<256, 8>)");
  malloc.choice("callers", MallocCallers::lanes)
      .help(
          "Who asks: every thread, or the first one of each warp, of which there are then as many as "
          "malloc.threads says");
  malloc.real("free", 100.0)
      .range(0.0, 100.0)
      .unit("%")
      .help("Share of the pool that is free at the start, in random places; 0: the pool is full");
  malloc.integer("rounds", 64)
      .range(1, 1 << 20)
      .unit("rounds")
      .help("Of churn: blocks that a thread replaces");
  malloc.integer("held", 4).range(1, 1024).unit("blocks").help("Of churn: blocks that a thread holds");
}

namespace {

using deck::Deck;

RequestSizes read_sizes(const Deck& deck, const AllocatorSettings& allocator) {
  RequestSizes sizes;
  sizes.smallest = static_cast<std::uint32_t>(deck.number("malloc.size"));
  sizes.largest = static_cast<std::uint32_t>(deck.number("malloc.largest"));
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
  if (malloc.sizes.smallest < block_lists::min_bytes)
    deck.reject("malloc.size",
                fmt::format("blocks that fill a pool hold a pointer, and {} bytes have no room for it",
                            malloc.sizes.smallest),
                fmt::format("use at least {}", block_lists::min_bytes));
}

/// Kernels in which warps ask are there for single requests only.
void check_warps(const Deck& deck, const MallocSettings& malloc) {
  if (malloc.pattern == MallocPattern::churn || malloc.pattern == MallocPattern::fill)
    deck.reject("malloc.callers",
                fmt::format("with pattern \"{}\" every thread asks", name_of(malloc.pattern)),
                "use malloc.callers = \"lanes\", or a pattern with one request");
  if (malloc.full_occupancy)
    deck.reject("malloc.callers", "kernels in which warps ask have any occupancy",
                "leave malloc.occupancy out");
  if (malloc.threads > std::numeric_limits<int>::max() / MallocSettings::warp_threads)
    deck.reject("malloc.threads",
                fmt::format("{} warps have more threads than can be counted", malloc.threads), "use fewer");
}

void check_rules(const Deck& deck, const MallocSettings& malloc) {
  require_allocator(deck, lane_allocators(),
                    malloc.allocator.team ? "whole teams call it, and here each thread does for itself"
                                          : "it is there for comparisons in other problems");
  const bool frees = malloc.allocator.promises.frees;
  const bool gives_back = malloc.pattern != MallocPattern::allocate && malloc.pattern != MallocPattern::fill;
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
  if (malloc.by_warps) check_warps(deck, malloc);
}

}  // namespace

MallocSettings read_malloc(const Deck& deck) {
  MallocSettings malloc;
  malloc.allocator = read_allocator(deck);
  malloc.pattern = deck.choice<MallocPattern>("malloc.pattern");
  malloc.threads = deck.number("malloc.threads");
  malloc.sizes = read_sizes(deck, malloc.allocator);
  malloc.cold = deck.choice<HeapStart>("malloc.state") == HeapStart::cold;
  malloc.full_occupancy = deck.choice<Occupancy>("malloc.occupancy") == Occupancy::full;
  malloc.by_warps = deck.choice<MallocCallers>("malloc.callers") == MallocCallers::warps;
  malloc.free_share = deck.get<double>("malloc.free") / 100;
  malloc.rounds = deck.number("malloc.rounds");
  if (malloc.pattern == MallocPattern::churn) malloc.held = deck.number("malloc.held");
  if (malloc.held > std::numeric_limits<int>::max() / malloc.threads)
    deck.reject("malloc.held",
                fmt::format("{} threads with {} blocks each hold more than can be counted", malloc.threads,
                            malloc.held),
                "use fewer threads, or fewer blocks");
  read_repetitions(deck, malloc);
  malloc.verify = deck.get<bool>("run.verify");
  check_rules(deck, malloc);
  return malloc;
}

}  // namespace haloheap
