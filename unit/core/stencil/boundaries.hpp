// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_BOUNDARIES_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_BOUNDARIES_HPP

#include <haloheap/core/grid/boundary.hpp>

#include <tuple>
#include <utility>

namespace haloheap::testing {

/// What the two sides of a dimension can be.
inline constexpr std::pair<grid::BoundaryKind, grid::BoundaryKind> sides[] = {
    {grid::BoundaryKind::periodic, grid::BoundaryKind::periodic},
    {grid::BoundaryKind::dirichlet, grid::BoundaryKind::dirichlet},
    {grid::BoundaryKind::dirichlet, grid::BoundaryKind::neumann},
    {grid::BoundaryKind::neumann, grid::BoundaryKind::dirichlet},
    {grid::BoundaryKind::neumann, grid::BoundaryKind::neumann}};

/// By the number of what each dimension has, of `sides`.
inline grid::Boundary make_boundary(int x, int y, int z) {
  grid::Boundary boundary{.value = 0.3125};
  const int chosen[3] = {x, y, z};
  for (int dim = 0; dim < 3; ++dim) std::tie(boundary.low[dim], boundary.high[dim]) = sides[chosen[dim]];
  return boundary;
}

inline grid::Boundary all_sides(grid::BoundaryKind kind, double value = 0) {
  grid::Boundary boundary{.value = value};
  for (int dim = 0; dim < 3; ++dim) boundary.low[dim] = boundary.high[dim] = kind;
  return boundary;
}

}  // namespace haloheap::testing

#endif
