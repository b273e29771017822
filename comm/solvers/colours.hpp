// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_COLOURS_HPP
#define HALOHEAP_COMM_SOLVERS_COLOURS_HPP

#include <haloheap/core/grid/box.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::comm::detail {

/// Colours of the cells of a grid, so that cells of one colour are three or more apart in some dimension:
/// what an operator of radius 1 makes of all of one colour is, in each cell, one coefficient of its matrix.
class Colours {
 public:
  Colours(int dims, const grid::Triple& cells, const bool (&periodic)[3]) : dims_(dims), cells_(cells) {
    for (int dim = 0; dim < dims; ++dim) {
      periodic_[dim] = periodic[dim];
      turns_[dim] = cells[dim] - cells[dim] % 3;
    }
  }

  int count() const { return in(0) * in(1) * in(2); }
  grid::Triple colour(int n) const { return {n % in(0), n / in(0) % in(1), n / in(0) / in(1)}; }

  /// Whether a cell may have a colour, for all that is known from one dimension.
  /// @param cell beyond the ends of the grid where it wraps around
  KOKKOS_FORCEINLINE_FUNCTION bool has(int dim, grid::Index cell, const grid::Triple& colour) const {
    return dim >= dims_ || of(dim, cell) == colour[dim];
  }
  KOKKOS_FORCEINLINE_FUNCTION bool has(const grid::Triple& cell, const grid::Triple& colour) const {
    return has(0, cell.x, colour) && has(1, cell.y, colour) && has(2, cell.z, colour);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool inside(int dim, grid::Index cell) const {
    return periodic_[dim] || (cell >= 0 && cell < cells_[dim]);
  }
  KOKKOS_FORCEINLINE_FUNCTION int dims() const { return dims_; }

 private:
  /// In one dimension: three that take turns, and where a grid wraps around one each for cells that are left.
  int in(int dim) const {
    if (dim >= dims_) return 1;
    return 3 + (periodic_[dim] ? static_cast<int>(cells_[dim] - turns_[dim]) : 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION grid::Index of(int dim, grid::Index cell) const {
    if (!periodic_[dim]) return cell % 3;
    while (cell < 0) cell += cells_[dim];
    while (cell >= cells_[dim]) cell -= cells_[dim];
    return cell < turns_[dim] ? cell % 3 : 3 + cell - turns_[dim];
  }

  int dims_;
  grid::Triple cells_, turns_;
  bool periodic_[3] = {};
};

}  // namespace haloheap::comm::detail

#endif
