// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_COARSENING_HPP
#define HALOHEAP_COMM_SOLVERS_COARSENING_HPP

#include <haloheap/core/grid/box.hpp>
#include <haloheap/core/stencil/outside.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::comm::detail {

/// The two coarse cells that a fine one is interpolated from in one dimension, and with which weights. Cells
/// have numbers in the whole grid, beyond its ends where it wraps around.
struct Parents {
  grid::Index coarse[2];
  double weight[2];
};

/// How a grid becomes a coarser one: in some dimensions every other cell is left, those with odd numbers.
/// Interpolation is linear between them, dimension by dimension; beyond the outermost ones it ends where the
/// sides say that a field is 0, or goes on with the same value. So a coarse operator P' A P of one with
/// radius 1 has radius 1 as well. ([Trottenberg2001], sections 2.3.3 and 2.8.)
struct Coarsening {
  static constexpr double far_away = 1e30;

  bool halved[3] = {}, periodic[3] = {};
  grid::Triple fine, coarse;  ///< cells of all ranks together
  /// Widths of a fine cell from the centre of the outermost one to where the field is 0; far_away if nowhere.
  double low[3] = {}, high[3] = {};
  /// What of a coarse cell the outermost fine one has beside it.
  double low_weight[3] = {}, high_weight[3] = {};

  /// @param smallest cells that must be left in a dimension that wraps around
  static Coarsening of(int dims, const grid::Triple& cells, const bool (&periodic)[3],
                       const stencil::SideRules& sides, grid::Index smallest);
  /// Of what comes out, where nothing is outside: the coarse operator has no neighbours there.
  Coarsening next(int dims, grid::Index smallest) const;

  bool any() const { return halved[0] || halved[1] || halved[2]; }
  /// Which coarse cells are among those of a box.
  grid::Box coarse_of(const grid::Box& box) const;

  KOKKOS_FORCEINLINE_FUNCTION Parents parents(int dim, grid::Index cell) const {
    if (!halved[dim]) return {{cell, cell}, {1, 0}};
    grid::Index base = 0;
    if (periodic[dim]) {
      while (cell < 0) {
        cell += fine[dim];
        base -= coarse[dim];
      }
      while (cell >= fine[dim]) {
        cell -= fine[dim];
        base += coarse[dim];
      }
    }
    const grid::Index next = cell / 2;
    if (cell % 2 != 0) return {{base + next, base + next}, {1, 0}};
    if (!periodic[dim] && next == 0) return {{next, next}, {low_weight[dim], 0}};
    if (!periodic[dim] && next == coarse[dim]) return {{next - 1, next - 1}, {high_weight[dim], 0}};
    double far = 0.5;
    // Around an odd number of cells, two that are not coarse stand side by side at one place.
    if (fine[dim] % 2 != 0 && periodic[dim]) {
      if (cell == 0) far = 1.0 / 3;
      if (cell == fine[dim] - 1) far = 2.0 / 3;
    }
    return {{base + next - 1, base + next}, {far, 1 - far}};
  }
  /// Of a coarse cell for a fine one; 0 for one outside the grid.
  KOKKOS_FORCEINLINE_FUNCTION double weight(int dim, grid::Index cell, grid::Index of) const {
    if (!periodic[dim] && (cell < 0 || cell >= fine[dim])) return 0;
    const Parents found = parents(dim, cell);
    return (found.coarse[0] == of ? found.weight[0] : 0) +
           (found.coarse[1] == of && found.weight[1] != 0 ? found.weight[1] : 0);
  }
  /// Whether a fine cell has the weights of all even or odd ones, as those at an end and beyond may not.
  bool regular(int dim, grid::Index cell) const { return halved[dim] && cell > 0 && cell + 1 < fine[dim]; }
  /// parents() where no coarse cell has more than three children, by fewer instructions: `first` and, if it
  /// has both, the one behind it, with the same weight.
  struct NearParents {
    int first;
    bool both;
    double weight;
  };
  KOKKOS_FORCEINLINE_FUNCTION NearParents near_parents(int dim, int cell) const {
    if (!halved[dim]) return {cell, false, 1};
    const int next = cell >> 1;  // also of those before the first, where the grid wraps around
    if ((cell & 1) != 0) return {next, false, 1};
    if (!periodic[dim] && next == 0) return {next, false, low_weight[dim]};
    if (!periodic[dim] && next == static_cast<int>(coarse[dim])) return {next - 1, false, high_weight[dim]};
    return {next - 1, true, 0.5};
  }
  /// Fine cells of a coarse one, three at most, by fewer instructions than weight(): which ones, from
  /// first_child() on, and its weight for each; 0 for those that there are not, in the place of another.
  struct Children {
    int place[3];
    double weight[3];
  };
  KOKKOS_FORCEINLINE_FUNCTION Children near_children(int dim, grid::Index of) const {
    if (!halved[dim]) return {{0, 0, 0}, {1, 0, 0}};
    Children found{{0, 1, 2}, {0.5, 1, 0.5}};
    if (periodic[dim]) return found;
    if (of == 0) found.weight[0] = low_weight[dim];
    if (of + 1 == coarse[dim]) {
      const bool inside = fine[dim] % 2 != 0;
      found.weight[2] = inside ? high_weight[dim] : 0;
      found.place[2] = inside ? 2 : 1;
    }
    return found;
  }
  /// The fine cells whose value depends on a coarse one are among [first, first + children).
  KOKKOS_FORCEINLINE_FUNCTION grid::Index first_child(int dim, grid::Index of) const {
    return halved[dim] ? 2 * of - (wide(dim) ? 1 : 0) : of;
  }
  KOKKOS_FORCEINLINE_FUNCTION int children(int dim) const {
    if (!halved[dim]) return 1;
    return wide(dim) ? 5 : 3;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION bool wide(int dim) const { return periodic[dim] && fine[dim] % 2 != 0; }
};

}  // namespace haloheap::comm::detail

#endif
