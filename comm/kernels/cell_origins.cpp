// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/cell_origins.hpp>

namespace haloheap::comm::detail {
namespace {

grid::Box moved(grid::Box box, const grid::Triple& from, const grid::Triple& to) {
  for (const int dim : {0, 1, 2}) {
    box.lo[dim] += to[dim] - from[dim];
    box.hi[dim] += to[dim] - from[dim];
  }
  return box;
}

/// Of cells that this round fills, or none of them.
void add_filled(const HaloPlan& plan, const grid::Box& own, const grid::Box& wanted, std::size_t round,
                std::vector<CellOrigin>& origins) {
  const HaloRound& by = plan.rounds[round];
  for (std::size_t m = 0; m < by.messages.size(); ++m)
    for (std::size_t n = 0; n < by.messages[m].receive.size(); ++n) {
      const grid::Box cells = intersect(wanted, by.messages[m].receive[n]);
      if (!cells.empty())
        origins.push_back(
            {.cells = cells, .shift = {0, 0, 0}, .own = false, .round = round, .message = m, .box = n});
    }
  for (const HaloCopy& copy : by.copies) {
    const grid::Box cells = intersect(wanted, copy.to);
    if (cells.empty()) continue;
    const grid::Box source = moved(cells, copy.to.lo, copy.from.lo);
    for (CellOrigin origin : origins_of(plan, own, source, round)) {
      for (const int dim : {0, 1, 2}) origin.shift[dim] += copy.from.lo[dim] - copy.to.lo[dim];
      origin.cells = moved(origin.cells, copy.from.lo, copy.to.lo);
      origins.push_back(origin);
    }
  }
}

}  // namespace

std::vector<CellOrigin> origins_of(const HaloPlan& plan, const grid::Box& own, const grid::Box& wanted,
                                   std::size_t before_round) {
  std::vector<CellOrigin> origins;
  if (wanted.empty()) return origins;
  const grid::Box mine = intersect(wanted, own);
  if (!mine.empty()) origins.push_back({.cells = mine, .shift = {0, 0, 0}});
  for (const grid::Box& piece : subtract(wanted, mine))
    for (std::size_t round = 0; round < before_round; ++round) add_filled(plan, own, piece, round, origins);
  return origins;
}

}  // namespace haloheap::comm::detail
