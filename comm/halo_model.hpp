// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_MODEL_HPP
#define HALOHEAP_COMM_HALO_MODEL_HPP

#include <haloheap/comm/deep_halo.hpp>

#include <map>

namespace haloheap {

/// One rank's part of a grid as the model of deep halos sees it.
struct HaloShape {
  double cells[3] = {1, 1, 1};  ///< own cells in each dimension
  int sides[3] = {0, 0, 0};     ///< in each dimension: sides with a neighbour, 0 to 2
  int radius = 1;               ///< of the stencil
  double cell_bytes = 4;        ///< of all quantities of a cell

  /// Of a rank with neighbours on all sides of so many dimensions.
  static HaloShape inner(double x, double y, double z, int dims, int radius, double cell_bytes);

  double own_cells() const { return cells[0] * cells[1] * cells[2]; }
  /// Cells that the steps between two exchanges update, those that neighbours update too included.
  double updates(int depth) const;
  /// Of these, what overlaps the exchange.
  double hidden_updates(int depth, Overlap overlap) const;
  /// Bytes that arrive in one exchange.
  double halo_bytes(int depth) const;
};

/// What a rank pays, in seconds. Each way to exchange has its own.
struct HaloCosts {
  double exchange = 0;    ///< an exchange, whatever its size
  double byte = 0;        ///< a byte of a halo
  double step = 0;        ///< the own cells of one step
  double frame_cell = 0;  ///< a cell of the frame around them: in thin boxes, which take longer
  double hideable = 1;    ///< of an overlap: share of the exchange that can run behind the interior
  double split = 0;       ///< of an overlap: each step that is computed in two parts
};

/// Seconds from one exchange to the next: the exchange and `depth` steps.
double cycle_seconds(const HaloShape& shape, const HaloCosts& costs, int depth, Overlap overlap);

/// Seconds by depth.
using SecondsOfDepth = std::map<int, double>;

/// Each fit sets the costs that it is about, and returns its residual: the root of the mean squared relative
/// error. The bytes of halos and the cells of steps both grow with depth, so that whole cycles do not tell
/// their costs apart: exchanges and steps are measured and fitted each for itself, and an overlap after both.
double fit_exchanges(const HaloShape& shape, const SecondsOfDepth& exchanges, HaloCosts& costs);
double fit_steps(const HaloShape& shape, const SecondsOfDepth& cycles_without_exchange, HaloCosts& costs);
double fit_overlap(const HaloShape& shape, const SecondsOfDepth& cycles, Overlap overlap, HaloCosts& costs);

}  // namespace haloheap

#endif
