// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_GRID_EDGES_HPP
#define HALOHEAP_CORE_STENCIL_GRID_EDGES_HPP

#include <haloheap/backend/function.hpp>
#include <haloheap/core/grid/boundary.hpp>

namespace haloheap::stencil::detail {

/// The physical boundary by value in a kernel: where the grid ends in local coordinates, and what is beyond.
template <class T>
struct GridEdges {
  struct Side {
    int at;        ///< low side: the first cell inside; high side: the first cell outside
    bool bounded;  ///< false: the grid wraps around, and neighbours see to what is beyond
    bool fixed;    ///< Dirichlet; else Neumann, u(-1 - i) = u(i)
  };
  Side low[3], high[3];
  T value;  ///< of Dirichlet cells

  GridEdges(const grid::Boundary& boundary, const grid::Box& inside, int dims)
      : value(static_cast<T>(boundary.value)) {
    for (int dim = 0; dim < 3; ++dim) {
      const bool bounded = dim < dims && !boundary.periodic(dim);
      low[dim] = {bounded ? static_cast<int>(inside.lo[dim]) : 0, bounded,
                  boundary.low[dim] == grid::BoundaryKind::dirichlet};
      high[dim] = {bounded ? static_cast<int>(inside.hi[dim]) : 0, bounded,
                   boundary.high[dim] == grid::BoundaryKind::dirichlet};
    }
  }

  /// Whether some of the cells [first, last) of a dimension are outside.
  HALOHEAP_FUNCTION bool crossed_by(int dim, int first, int last) const {
    return (low[dim].bounded && first < low[dim].at) || (high[dim].bounded && last > high[dim].at);
  }
};

}  // namespace haloheap::stencil::detail

#endif
