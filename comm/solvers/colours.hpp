// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_COLOURS_HPP
#define HALOHEAP_COMM_SOLVERS_COLOURS_HPP

#include <haloheap/core/grid/box.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::comm::detail {

/// Colours of the cells of a grid, so that cells of one colour are 2 r + 1 or more apart in some dimension:
/// what an operator of radius r makes of all of one colour is, in each cell, one coefficient of its matrix.
class Colours {
 public:
  Colours(int dims, const grid::Triple& cells, const bool (&periodic)[3], int radius = 1)
      : dims_(dims), apart_(2 * radius + 1), cells_(cells) {
    for (int dim = 0; dim < dims; ++dim) {
      periodic_[dim] = periodic[dim];
      turns_[dim] = cells[dim] - cells[dim] % apart_;
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
  /// In one dimension: as many that take turns, and where a grid wraps around one each for cells that are
  /// left.
  int in(int dim) const {
    if (dim >= dims_) return 1;
    return apart_ + (periodic_[dim] ? static_cast<int>(cells_[dim] - turns_[dim]) : 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION grid::Index of(int dim, grid::Index cell) const {
    if (!periodic_[dim]) return cell % apart_;
    while (cell < 0) cell += cells_[dim];
    while (cell >= cells_[dim]) cell -= cells_[dim];
    return cell < turns_[dim] ? cell % apart_ : apart_ + cell - turns_[dim];
  }

  int dims_, apart_;
  grid::Triple cells_, turns_;
  bool periodic_[3] = {};
};

/// 1 in the cells of a colour, 0 in others.
template <class T>
struct SetColour {
  static constexpr int dots = 0;
  Colours colours;
  grid::Triple colour, first;  ///< first: the own cell (0, 0, 0) in the whole grid
  T* x;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    x[at] = colours.has({first.x + cell.x, first.y + cell.y, first.z + cell.z}, colour) ? T{1} : T{0};
  }
};

}  // namespace haloheap::comm::detail

#endif
