// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/hash_join_choices.hpp>
#include <haloheap/miniapp/problems/allocators/hash_join_schema.hpp>

namespace haloheap {

void add_hash_join_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& join = schema.section("hash_join", "Problem hash_join: output pages from the allocator");
  join.integer("tuples", 1 << 20).range(1, 1 << 28).unit("tuples").help("Of each of the two tables");
  join.real("match", 1.0).range(0.0, 1.0).help("Share of the probing tuples whose key the other table has");
  join.real("skew", 0.0)
      .range(0.0, 0.99)
      .help("Of the keys that match: how often the k-th occurs falls with k to this power; 0: all as often");
  join.integer("copies", 1)
      .range(1, 1024)
      .unit("tuples")
      .help("Tuples of the table that is probed with the same key: rows for each match");
  join.integer("per_thread", 1).range(1, 1 << 20).unit("tuples").help("Probing tuples of a thread");
  join.choice("list", ListOwner::thread)
      .help("Who fills a list of output pages, of allocator.page bytes each: every thread, or every warp");
}

}  // namespace haloheap
