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
          {.name = "region",
           .help = "elements that are missing move, from where they come fastest",
           .make = detail::make_region_protocol,
           .knows_elements = true},
          {.name = "paper",
           .help = "one valid flag a copy, exact copies ([Dastgeer2016], new mechanism)",
           .make = detail::make_paper_protocol},
          {.name = "initial",
           .help = "all through the host, with a flush where copies would be stale (its initial mechanism)",
           .make = detail::make_initial_protocol,
           .peer_copies = false,
           .keeps_copies = false,
           .sub_matrices = false},
          {.name = "initial_flush",
           .help = "the same with a flush of what each call has written, as programs had to",
           .make = detail::make_initial_flush_protocol,
           .peer_copies = false,
           .keeps_copies = false,
           .keeps_results = false,
           .sub_matrices = false},
          {.name = "none",
           .help = "operands host-to-device before and device-to-host after each use",
           .make = detail::make_none_protocol,
           .peer_copies = false,
           .keeps_copies = false,
           .keeps_results = false,
           .keeps_operands = false},
      });
  return registry;
}

std::string policies_that(bool PolicyEntry::*property) {
  std::vector<std::string> names;
  for (const PolicyEntry& policy : policies())
    if (policy.*property) names.push_back(policy.name);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

}  // namespace haloheap::coherence
