// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/collectives_choices.hpp>
#include <haloheap/miniapp/problems/allocators/collectives_schema.hpp>

namespace haloheap {

void add_collectives_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& collectives =
      schema.section("collectives", "Problem collectives: every thread of a kernel is a rank");
  collectives.choice("operation", Collective::alltoall)
      .help(
          "What the ranks do together; every message is in memory that its sender allocates and its receiver "
          "frees");
  collectives.integer("blocks", 8)
      .range(1, 1 << 16)
      .unit("blocks")
      .help("Thread blocks; all must be resident at once, on a host all ranks are threads of their own");
  collectives.integer("threads", 32).range(1, 1024).unit("ranks").help("Threads of a block");
  collectives.integer("doubles", 4)
      .range(1, 1 << 20)
      .unit("doubles")
      .help("Of a message; in alltoall every rank has so many for every other");
  collectives.real("timeout", 60.0)
      .range(0.001, 1e6)
      .unit("s")
      .help("Longest wait of a rank for another before the run is ended");
}

}  // namespace haloheap
