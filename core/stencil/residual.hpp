// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RESIDUAL_HPP
#define HALOHEAP_CORE_STENCIL_RESIDUAL_HPP

#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/stencil/stencil.hpp>

/// The squared residual norm of a step: the sum over all own cells and quantities of (u_new - u_old)^2, with
/// the same bits whatever the order in which cells, lanes, threads and ranks add up.
///
/// Floating-point sums depend on their order because they round. These do not round: each square is split
/// into parts that are multiples of a quantum each, so coarse that the sum of all terms still fits the 53
/// bits of a double. Sums of such parts are exact in any order, atomic additions and MPI_SUM included. The
/// split is by adding to a large pivot, which rounds to the quantum ([Demmel2013]; the extraction of AccSum,
/// [Rump2008]). The quanta follow from a bound known before the run and from the number of terms, and from
/// nothing else.
///
/// Three parts resolve squares down to bound * 2^(3 log2(terms) - 152): for 2^30 cells 2^-62 of the bound,
/// that is differences of 5e-10 of the largest one possible. A square is off by a few units in its last
/// place.
namespace haloheap::stencil {

inline constexpr int residual_parts = 3;

/// The sum of one step, or a share of it; shares are added part by part. Three doubles in a row, fit for
/// MPI_SUM.
struct ResidualSum {
  double part[residual_parts] = {};

  friend bool operator==(const ResidualSum&, const ResidualSum&) = default;
};

/// How squares are split. All ranks of a run must use the same.
struct ResidualScale {
  double pivot[residual_parts] = {};  ///< 1.5 * 2^52 quanta: sums of either sign keep its exponent
  double limit = 0;                   ///< largest first part of a sum within the bound

  /// @param bound of one square: finite and at least 2^-900; or at least of their mean, see residual_bound
  /// @param terms at least the number of squares in a step, all ranks and quantities together
  /// @throws UsageError
  static ResidualScale make(double bound, grid::Index terms);

  /// Multiples of what part number `part` holds: a power of two.
  double quantum(int part) const { return pivot[part] / 0x1.8p52; }

  /// The squared norm, from the sum over all ranks. NaN if a value was infinite or not a number, or if the
  /// squares add up to more than bound * terms (to the next powers of two): then sums could depend on their
  /// order.
  double value(const ResidualSum& sum) const;
};

/// A bound for ResidualScale::make: on the mean of (u_new - u_old)^2 over the cells, for any step, with room
/// for round-off. @param largest_initial largest magnitude in the initial field
/// @throws UsageError if the stencil lets values grow without bound
double residual_bound(const Stencil& stencil, const grid::Boundary& boundary, double largest_initial);

/// Places to add to, so that few threads meet at one; each on cache lines of its own.
inline constexpr int residual_slots = 64;
/// Doubles from one slot to the next.
inline constexpr int residual_slot_stride = 16;

/// Where a sweep adds the squares of its cells. Without slots: nowhere.
struct ResidualTarget {
  /// residual_slots * residual_slot_stride doubles for kernels, zeroed by the caller; the first
  /// residual_parts of each slot are added to.
  double* slots = nullptr;
  ResidualScale scale;
  grid::Box counted;  ///< only cells inside count: the own box, where ghost cells are computed too
};

}  // namespace haloheap::stencil

#endif
