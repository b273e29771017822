// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/statistics.hpp>

namespace haloheap::coherence {
namespace {

template <class Wanted>
std::uint64_t sum(const Statistics& statistics, const Wanted& wanted) {
  std::uint64_t bytes = 0;
  for (Memory from = 0; from < statistics.memories; ++from)
    for (Memory to = 0; to < statistics.memories; ++to)
      if (wanted(from, to)) bytes += statistics.between(from, to).bytes;
  return bytes;
}

}  // namespace

std::uint64_t Statistics::to_devices() const {
  return sum(*this, [](Memory from, Memory to) { return from == host && to != host; });
}
std::uint64_t Statistics::to_host() const {
  return sum(*this, [](Memory from, Memory to) { return from != host && to == host; });
}
std::uint64_t Statistics::within_devices() const {
  return sum(*this, [](Memory from, Memory to) { return from == to && from != host; });
}
std::uint64_t Statistics::between_devices() const {
  return sum(*this, [](Memory from, Memory to) { return from != to && from != host && to != host; });
}

void Statistics::add_difference(const Statistics& before, const Statistics& after, std::uint64_t times) {
  for (std::size_t i = 0; i < moved.size(); ++i)
    moved[i].add_difference(before.moved[i], after.moved[i], times);
  allocations.add_difference(before.allocations, after.allocations, times);
  evictions.add_difference(before.evictions, after.evictions, times);
  hits += times * (after.hits - before.hits);
  misses += times * (after.misses - before.misses);
}

}  // namespace haloheap::coherence
