// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_COLOURS_HPP
#define HALOHEAP_COMM_SOLVERS_COLOURS_HPP

#include <haloheap/core/grid/box.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::comm::detail {

/// Colours of the cells of a grid, so that cells of one colour are three or more apart in some dimension:
/// what an operator of radius 1 makes of all of one colour is, in each cell, one coefficient of its matrix.
struct Colours {
  int dims = 2;
  grid::Triple cells;
  bool periodic[3] = {};

  /// In one dimension: three that take turns, and where a grid wraps around one each for cells that are left.
  int in(int dim) const {
    if (dim >= dims) return 1;
    return 3 + (periodic[dim] ? static_cast<int>(cells[dim] % 3) : 0);
  }
  int count() const { return in(0) * in(1) * in(2); }
  grid::Triple colour(int n) const { return {n % in(0), n / in(0) % in(1), n / in(0) / in(1)}; }

  /// @param cell beyond the ends of the grid where it wraps around
  KOKKOS_FORCEINLINE_FUNCTION bool has(const grid::Triple& cell, const grid::Triple& colour) const {
    for (int dim = 0; dim < dims; ++dim)
      if (of(dim, cell[dim]) != colour[dim]) return false;
    return true;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION grid::Index of(int dim, grid::Index cell) const {
    if (!periodic[dim]) return cell % 3;
    while (cell < 0) cell += cells[dim];
    while (cell >= cells[dim]) cell -= cells[dim];
    const grid::Index turns = cells[dim] - cells[dim] % 3;
    return cell < turns ? cell % 3 : 3 + cell - turns;
  }
};

}  // namespace haloheap::comm::detail

#endif
