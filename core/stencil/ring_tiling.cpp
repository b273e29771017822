// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/ring_tiling.hpp>

namespace haloheap::stencil::detail {
namespace {

// All planes of a part together: most of a second-level cache. Smaller ones do not pay in 3D, where a tile
// must be several times as wide as what it computes for its neighbours.
constexpr grid::Index cache_bytes = 768 * 1024;
// Starting a row takes as long as computing about so many cells.
constexpr grid::Index row_start = 64;

grid::Index next_candidate(grid::Index parts) {
  return parts + std::max(grid::Index{1}, parts / 2);
}

void size_planes(RingTiling& tiling, const RingNeeds& needs) {
  const grid::Index grown = 2 * needs.steps * needs.radius, line = RingTiling::line,
                    lines = (tiling.longest(0) + grown + line - 1) / line + RingTiling::spare_lines;
  tiling.pitch = (lines | 1) * line;  // odd: rows a page apart would wait for each other's stores
  tiling.rows = needs.dims == 3 ? tiling.longest(1) + grown : 1;
}

/// About the cells that the busiest thread computes in a step.
double cost(const RingTiling& tiling, const RingNeeds& needs) {
  const grid::Index tasks = tiling.count() * needs.quantities,
                    rounds = (tasks + needs.threads - 1) / needs.threads,
                    extra = (needs.steps - 1) * needs.radius;  // on average over the steps
  double cells = static_cast<double>(rounds * (tiling.longest(0) + extra + row_start));
  for (int dim = 1; dim < needs.dims; ++dim) cells *= static_cast<double>(tiling.longest(dim) + extra);
  const grid::Index planes = needs.steps * (2 * needs.radius + 1),
                    bytes =
                        planes * tiling.pitch * tiling.rows * static_cast<grid::Index>(needs.element_bytes);
  const double overflow = std::max(1.0, static_cast<double>(bytes) / static_cast<double>(cache_bytes));
  // One chunk a thread is where the sweeps of single steps have put the memory of each thread.
  const double moved = tiling.parts[needs.dims - 1] == needs.threads ? 1.0 : 1.03;
  return cells * overflow * moved;
}

}  // namespace

RingTiling choose_ring_tiling(const grid::Box& box, const RingNeeds& needs) {
  const int stream = needs.dims - 1;
  RingTiling best{.box = box}, next = best;
  double minimum = -1;
  const auto consider = [&] {
    size_planes(next, needs);
    const double now = cost(next, needs);
    if (minimum >= 0 && now >= minimum) return;
    minimum = now;
    best = next;
  };
  const auto with_chunks = [&] {
    for (grid::Index n = 1; n < needs.threads && n <= box.extent(stream); n = next_candidate(n)) {
      next.parts[stream] = n;
      consider();
    }
    next.parts[stream] = std::min(needs.threads, box.extent(stream));
    consider();
  };
  for (grid::Index columns = 1; columns <= std::max(grid::Index{1}, box.extent(0) / RingTiling::line);
       columns = next_candidate(columns)) {
    next.parts[0] = columns;
    for (grid::Index rows = 1; rows <= (needs.dims == 3 ? box.extent(1) : 1); rows = next_candidate(rows)) {
      next.parts[1] = rows;
      with_chunks();
    }
  }
  return best;
}

}  // namespace haloheap::stencil::detail
