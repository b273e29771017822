// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/coherence/protocols/initial.hpp>
#include <haloheap/core/coherence/protocols/none.hpp>
#include <haloheap/core/coherence/protocols/paper.hpp>
#include <haloheap/core/coherence/protocols/region.hpp>

#include <fmt/format.h>

namespace haloheap::coherence {

const std::vector<PolicyEntry>& policies() {
  static const std::vector<PolicyEntry> list{
      {"region", "elements that are missing move, from where they come fastest", make_region_protocol},
      {"paper", "one valid flag a copy, exact copies (Dastgeer and Kessler 2016, new mechanism)",
       make_paper_protocol},
      {"initial", "all through the host, with a flush where copies would be stale (its initial mechanism)",
       make_initial_protocol},
      {"none", "operands up before and down after each use", make_none_protocol},
  };
  return list;
}

std::unique_ptr<Protocol> make_protocol(std::string_view name) {
  std::string names;
  for (const PolicyEntry& entry : policies()) {
    if (entry.name == name) return entry.make();
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  throw UsageError(fmt::format("there is no coherence policy '{}'", name), "", "use one of: " + names);
}

}  // namespace haloheap::coherence
