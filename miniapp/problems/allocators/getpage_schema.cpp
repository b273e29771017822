// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/getpage_schema.hpp>

namespace haloheap {

void add_getpage_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& getpage = schema.section("getpage", "Single pages out of a pool that is in use");
  getpage.integer("threads", 16384)
      .range(1, 1 << 28)
      .unit("threads")
      .help("Threads of the kernel, each of which gets a page");
  getpage.real("free", 50.0).range(0.001, 100.0).unit("%").help("Share of the pages that are free before it");
}

}  // namespace haloheap
