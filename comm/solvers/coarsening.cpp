// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/coarsening.hpp>

namespace haloheap::comm::detail {
namespace {

/// Values that are given stand in the centre of the first cell outside, and are 0 in a correction.
double distance_of(const stencil::Outside& outside) {
  if (outside.kind == stencil::Outside::Kind::value) return 1;
  return outside.number < 0 ? 0.5 : Coarsening::far_away;
}

/// The same in widths of a coarse cell. @param beside whether the outermost fine cell is not the coarse one
double on_coarse(double distance, bool halved, bool beside) {
  if (!halved || distance >= Coarsening::far_away) return distance;
  return (distance + (beside ? 1 : 0)) / 2;
}

/// Of a line from 0 to a coarse cell, whose neighbour is so far away from where it is 0.
double beside(double distance) {
  return distance < Coarsening::far_away ? distance / (distance + 1) : 1;
}

void halve(Coarsening& made, int dims, grid::Index smallest) {
  made.coarse = made.fine;
  for (int dim = 0; dim < dims; ++dim) {
    made.low_weight[dim] = beside(made.low[dim]);
    made.high_weight[dim] = beside(made.high[dim]);
    const grid::Index half = made.fine[dim] / 2;
    made.halved[dim] = made.periodic[dim] ? half >= smallest : made.fine[dim] >= 3;
    if (made.halved[dim]) made.coarse[dim] = half;
  }
}

}  // namespace

Coarsening Coarsening::of(int dims, const grid::Triple& cells, const bool (&periodic)[3],
                          const stencil::SideRules& sides, grid::Index smallest) {
  Coarsening made;
  made.fine = cells;
  for (int dim = 0; dim < dims; ++dim) {
    made.periodic[dim] = periodic[dim];
    if (periodic[dim]) continue;
    made.low[dim] = distance_of(sides.at(dim, false, 0));
    made.high[dim] = distance_of(sides.at(dim, true, 0));
  }
  halve(made, dims, smallest);
  return made;
}

Coarsening Coarsening::next(int dims, grid::Index smallest) const {
  Coarsening made = *this;
  made.fine = coarse;
  for (int dim = 0; dim < dims; ++dim) {
    made.low[dim] = on_coarse(low[dim], halved[dim], true);
    made.high[dim] = on_coarse(high[dim], halved[dim], fine[dim] % 2 != 0);
  }
  halve(made, dims, smallest);
  return made;
}

grid::Box Coarsening::coarse_of(const grid::Box& box) const {
  grid::Box found = box;
  for (int dim = 0; dim < 3; ++dim)
    if (halved[dim]) {
      found.lo[dim] = box.lo[dim] / 2;
      found.hi[dim] = box.hi[dim] / 2;
    }
  return found;
}

}  // namespace haloheap::comm::detail
