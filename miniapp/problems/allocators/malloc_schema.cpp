// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/malloc_choices.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_schema.hpp>

namespace haloheap {
namespace {

constexpr double most_threads = 1 << 28;
constexpr double most_bytes = 1 << 30;

}  // namespace

void add_malloc_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& malloc = schema.section("malloc", "What threads ask for, of malloc_sweep");
  malloc.integer("threads", 16384).range(1, most_threads).unit("threads").help("Threads of the kernels");
  malloc.integer("size", 64)
      .range(0, most_bytes)
      .unit("bytes")
      .help("Of a request; of mixed sizes the smallest");
  malloc.integer("largest", 0)
      .range(0, most_bytes)
      .unit("bytes")
      .help("Of mixed sizes, uniform from size to largest; 0: all requests are alike");
  malloc.choice("pattern", MallocPattern::allocate_free)
      .help(
          "One request a thread, timed alone or with giving it back; replacing some that a thread holds, at "
          "random; or requests until the pool is full");
  malloc.choice("state", HeapStart::warm)
      .help("The heap before each repetition: as the one before left it, or reset");
  malloc.choice("occupancy", Occupancy::any)
      .help(
          "Warps that run side by side in the kernel that allocates: as many as its registers allow, or all "
          "that a GPU has room for, with fewer registers (LaunchBounds<256, 8>)");
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

}  // namespace haloheap
