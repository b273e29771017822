// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/transfers/bandwidth_choices.hpp>
#include <haloheap/miniapp/problems/transfers/bandwidth_schema.hpp>

namespace haloheap {

void add_bandwidth_keys(deck::Schema& schema, const SchemaChoices& /*choices*/) {
  deck::Section& bandwidth = schema.section("bandwidth", "Copies alone, of problem bandwidth");
  bandwidth.choice("path", BandwidthPath::up)
      .help("To the device, from it, both at once; within a device, or from the next one to it");
  bandwidth.choice("by", CopiedBy::copies)
      .help("Who moves the bytes: copies of transfer.mode, or a kernel that reads and writes them");
  bandwidth.integer("count", 16)
      .range(1, 1000)
      .unit("copies")
      .help("Copies in a row for each repetition; they are held back until all are enqueued");
}

}  // namespace haloheap
