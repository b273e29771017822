// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/memory_overlap.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>

namespace haloheap::comm::detail {
namespace {

using grid::Index;

Index rounded_down(Index n, Index by) {
  return n / by - (n % by < 0 ? 1 : 0);
}

/// A stride that either array has, and by how many of it two of their values may be apart.
struct Steps {
  Index stride, min, max;
};

/// Widest first.
std::vector<Steps> steps_of(const PlacesInMemory& one, const PlacesInMemory& other) {
  std::map<Index, Steps, std::greater<>> by_stride;
  const auto of = [&](Index stride) -> Steps& {
    return by_stride.try_emplace(stride, Steps{stride, 0, 0}).first->second;
  };
  for (const auto& [stride, extent] : one.dimensions)
    if (stride > 0) of(stride).min -= extent - 1;
  for (const auto& [stride, extent] : other.dimensions)
    if (stride > 0) of(stride).max += extent - 1;
  std::vector<Steps> all;
  for (const auto& [stride, steps] : by_stride) all.push_back(steps);
  return all;
}

/// Whether some sum of `apart` and steps from number `next` on lies between `low` and `high`. Narrower
/// strides reach little further than a step of this one, so that few are worth a try.
bool reaches(const std::vector<Steps>& all, std::size_t next, Index apart, Index low, Index high) {
  if (next == all.size()) return low <= apart && apart <= high;
  Index back = 0, ahead = 0;
  for (std::size_t rest = next + 1; rest < all.size(); ++rest) {
    back += all[rest].stride * all[rest].min;
    ahead += all[rest].stride * all[rest].max;
  }
  const auto& [stride, min, max] = all[next];
  const Index first = -rounded_down(apart + ahead - low, stride);
  const Index last = rounded_down(high - apart - back, stride);
  for (Index steps = std::max(min, first); steps <= std::min(max, last); ++steps)
    if (reaches(all, next + 1, apart + stride * steps, low, high)) return true;
  return false;
}

bool is_empty(const PlacesInMemory& places) {
  return std::any_of(places.dimensions.begin(), places.dimensions.end(),
                     [](const auto& dimension) { return dimension.extent == 0; });
}

}  // namespace

bool share_memory(const PlacesInMemory& one, const PlacesInMemory& other) {
  if (is_empty(one) || is_empty(other)) return false;
  const auto apart = static_cast<Index>(reinterpret_cast<std::uintptr_t>(other.start) -
                                        reinterpret_cast<std::uintptr_t>(one.start));
  return reaches(steps_of(one, other), 0, apart, 1 - other.value_bytes, one.value_bytes - 1);
}

}  // namespace haloheap::comm::detail
