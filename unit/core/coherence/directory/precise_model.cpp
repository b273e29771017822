// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/precise_model.hpp>

namespace haloheap::coherence::test {

PreciseModel::PreciseModel(const MemoryTopology& topology, ElementIndex elements) : topology_(topology) {
  std::vector<bool> on_host(static_cast<std::size_t>(topology.memories()), false);
  on_host[host] = true;
  newest_.assign(static_cast<std::size_t>(elements), on_host);
}

void PreciseModel::bring(std::vector<bool>& memories, Memory memory) {
  const auto place = static_cast<std::size_t>(memory);
  if (memories[place]) return;
  bool direct = false;
  for (Memory from = 0; from < topology_.memories(); ++from)
    direct = direct || (memories[static_cast<std::size_t>(from)] && topology_.link(from, memory).direct);
  moved_ += direct ? 1 : 2;
  // By way of the host, which has it then as well.
  if (!direct) memories[host] = true;
  memories[place] = true;
}

void PreciseModel::use(Memory memory, Access access, const Rect& range) {
  for (ElementIndex element = range.column; element < range.column_end; ++element) {
    std::vector<bool>& memories = newest_[static_cast<std::size_t>(element)];
    if (reads(access)) bring(memories, memory);
    if (!writes(access)) continue;
    memories.assign(memories.size(), false);
    memories[static_cast<std::size_t>(memory)] = true;
  }
}

}  // namespace haloheap::coherence::test
