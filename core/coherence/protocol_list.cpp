// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/protocols/initial.hpp>
#include <haloheap/core/coherence/protocols/none.hpp>
#include <haloheap/core/coherence/protocols/paper.hpp>
#include <haloheap/core/coherence/protocols/region.hpp>

namespace haloheap::coherence {

const Registry<PolicyEntry>& policies() {
  static const Registry<PolicyEntry> registry(
      "coherence policy",
      {
          {"region", "elements that are missing move, from where they come fastest",
           detail::make_region_protocol},
          {"paper", "one valid flag a copy, exact copies ([Dastgeer2016], new mechanism)",
           detail::make_paper_protocol},
          {"initial",
           "all through the host, with a flush where copies would be stale (its initial mechanism)",
           detail::make_initial_protocol, false},
          {"initial_flush", "the same with a flush of what each call has written, as programs had to",
           detail::make_initial_flush_protocol, false},
          {"none", "operands host-to-device before and device-to-host after each use",
           detail::make_none_protocol, false},
      });
  return registry;
}

}  // namespace haloheap::coherence
