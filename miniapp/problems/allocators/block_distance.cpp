// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/block_distance.hpp>

#include <algorithm>

namespace haloheap {

std::optional<std::uint64_t> least_distance(const std::vector<const void*>& blocks) {
  std::vector<std::uintptr_t> starts;
  for (const void* block : blocks)
    if (block != nullptr) starts.push_back(reinterpret_cast<std::uintptr_t>(block));
  if (starts.size() < 2) return std::nullopt;
  std::sort(starts.begin(), starts.end());
  std::uint64_t least = starts[1] - starts[0];
  for (std::size_t i = 2; i < starts.size(); ++i)
    least = std::min<std::uint64_t>(least, starts[i] - starts[i - 1]);
  return least;
}

}  // namespace haloheap
