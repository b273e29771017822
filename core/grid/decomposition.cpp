// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/grid/decomposition.hpp>

#include <array>

namespace haloheap::grid {
namespace {

// [Valen2023], Table 3.2: ranks, height (y), length (x).
constexpr std::array<std::array<int, 3>, 9> thesis_table = {
    {{1, 1, 1}, {2, 1, 2}, {4, 2, 2}, {6, 2, 3}, {8, 2, 4}, {9, 3, 3}, {10, 2, 5}, {12, 3, 4}, {16, 4, 4}}};

// Two sides of 2^31 cells have a product of 62 bits, and there are six of them.
__extension__ using Area = unsigned __int128;

// Surface of the largest subdomain; huge if some subdomain would be empty.
Area surface(int dims, const Triple& cells, const Triple& ranks) {
  Area total = 0, largest[3];
  for (int dim = 0; dim < 3; ++dim) {
    if (ranks[dim] > cells[dim]) return ~Area{0};
    largest[dim] = static_cast<Area>((cells[dim] - 1) / ranks[dim] + 1);
  }
  for (int dim = 0; dim < dims; ++dim) total += 2 * largest[(dim + 1) % 3] * largest[(dim + 2) % 3];
  return total;
}

}  // namespace

Triple rank_grid(int ranks, int dims, const Triple& cells) {
  if (dims == 2)
    for (const auto& [count, height, length] : thesis_table)
      if (count == ranks && length <= cells.x && height <= cells.y) return {length, height, 1};
  Triple best{ranks, 1, 1};
  Area best_surface = surface(dims, cells, best);
  for (Index z = 1; z <= (dims == 3 ? ranks : 1); ++z) {
    if (ranks % z != 0) continue;
    for (Index y = 1; y <= ranks / z; ++y) {
      if (ranks / z % y != 0) continue;
      const Triple candidate{ranks / z / y, y, z};
      const Area candidate_surface = surface(dims, cells, candidate);
      if (candidate_surface < best_surface) {
        best = candidate;
        best_surface = candidate_surface;
      }
    }
  }
  return best;
}

Range split(Index cells, Index parts, Index index) {
  const Index base = cells / parts, leftover = cells % parts;
  return {index * base + std::min(index, leftover), base + (index < leftover ? 1 : 0)};
}

Box subdomain(const Triple& cells, const Triple& ranks, const Triple& coordinates) {
  Box box;
  for (int dim = 0; dim < 3; ++dim) {
    const Range range = split(cells[dim], ranks[dim], coordinates[dim]);
    box.lo[dim] = range.begin;
    box.hi[dim] = range.begin + range.count;
  }
  return box;
}

}  // namespace haloheap::grid
