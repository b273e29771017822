// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_BOUNDARY_HPP
#define HALOHEAP_CORE_GRID_BOUNDARY_HPP

#include <haloheap/core/grid/boundary_kind.hpp>
#include <haloheap/core/grid/field_layout.hpp>

#include <vector>

namespace haloheap::grid {

/// What lies outside the global grid. At a corner, a Dirichlet side wins over a Neumann side.
struct Boundary {
  BoundaryKind low[3] = {BoundaryKind::periodic, BoundaryKind::periodic, BoundaryKind::periodic};
  BoundaryKind high[3] = {BoundaryKind::periodic, BoundaryKind::periodic, BoundaryKind::periodic};
  double value = 0;  ///< of the Dirichlet cells

  bool periodic(int dim) const { return low[dim] == BoundaryKind::periodic; }
  BoundaryKind side(int dim, bool at_high) const { return at_high ? high[dim] : low[dim]; }
};

/// The whole grid in the local coordinates of one rank's subdomain, unbounded in periodic dimensions.
/// @param own the subdomain in global coordinates
Box whole_grid(int dims, const bool (&periodic)[3], const Triple& cells, const Box& own);

/// The cells of `region` that are not in `inside`, nor in `except`.
std::vector<Box> outside_boxes(const Box& region, const Box& inside, const Box& except);

}  // namespace haloheap::grid

#endif
