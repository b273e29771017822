// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/allocation_choices.hpp>
#include <haloheap/miniapp/problems/allocators/allocation_schema.hpp>

namespace haloheap {

void add_allocation_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& allocation =
      schema.section("allocation", "Problem allocation: each thread allocates, works, frees");
  allocation.choice("work", AllocationWork::linear)
      .help(
          "What each thread computes from its own array of n floats: the sum from the first to the last; the "
          "sum "
          "of all n x n products; the sum in steps of 8, each in another 32 bytes, beginning 8 times; the "
          "sum of n "
          "elements at random places; rows times columns of the array as a square matrix");
  allocation.integer("floats", 100).range(1, 1 << 24).unit("floats").help("Length n of each thread's array");
  allocation.integer("blocks", 12).range(1, 1 << 20).unit("blocks").help("Thread blocks of the kernel");
  allocation.integer("threads", 1024).range(1, 1024).unit("threads").help("Threads of a block");
}

}  // namespace haloheap
