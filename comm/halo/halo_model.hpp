// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_HALO_MODEL_HPP
#define HALOHEAP_COMM_HALO_HALO_MODEL_HPP

#include <haloheap/comm/halo/deep_halo.hpp>

#include <map>
#include <vector>

namespace haloheap::comm {

/// What lies between two exchanges: so many steps, of which a pass makes at most `fused`.
struct HaloCycle {
  int depth = 1;
  int fused = 1;
  Overlap overlap = Overlap::none;
  bool graph = false;
};

/// One rank's part of a grid as the model of deep halos sees it.
struct HaloShape {
  double cells[3] = {1, 1, 1};  ///< own cells in each dimension
  int sides[3] = {0, 0, 0};     ///< in each dimension: sides with a neighbour, 0 to 2
  int radius = 1;               ///< of the stencil
  double cell_bytes = 4;        ///< of all quantities of a cell

  /// The shape of a rank with neighbours on all sides of so many dimensions.
  static HaloShape inner(double x, double y, double z, int dims, int radius, double cell_bytes);

  /// The shape of the largest subdomain of a grid, of a rank with as many neighbours as any has.
  static HaloShape largest(const Grid& grid, int radius, double cell_bytes);

  double own_cells() const { return cells[0] * cells[1] * cells[2]; }
  /// Cells of the box that is left `steps` steps before the next exchange; negative: of that which so many
  /// steps after it depends on no neighbour.
  double box_cells(int steps) const;
  /// Bytes that arrive in one exchange.
  double halo_bytes(int depth) const;
};

/// What a pass over memory costs, in seconds.
struct PassCost {
  double own = 0;         ///< the own cells, launches included
  double frame_cell = 0;  ///< each cell of the frame around them that is written too
};

/// What passes cost, by their number of steps.
class PassCosts {
 public:
  void set(int steps, const PassCost& cost) { known_[steps] = cost; }
  bool empty() const { return known_.empty(); }
  /// Between two numbers of steps that are known: on the line through them; beyond: as many steps of the
  /// nearest. Nothing known: no cost.
  PassCost of(int steps) const;
  const std::map<int, PassCost>& known() const { return known_; }

 private:
  std::map<int, PassCost> known_;
};

/// What a rank pays, in seconds. Each way to exchange has its own.
struct HaloCosts {
  double exchange = 0;  ///< an exchange, whatever its size
  double byte = 0;      ///< a byte of a halo
  PassCosts passes;
  double hideable = 1;  ///< of an overlap: share of the exchange that can run behind the interior
  double split = 0;     ///< of an overlap: each pass that is made in two parts
  double thin = 0;      ///< of an overlap: what a frame's cell takes longer, in cells of the interior
  double recorded_exchange = 0;  ///< of a graph: what it saves of each exchange
  double recorded_pass = 0;      ///< of a graph: what it saves of each pass
};

/// Seconds from one exchange to the next: the exchange and the passes that follow.
double cycle_seconds(const HaloShape& shape, const HaloCosts& costs, const HaloCycle& cycle);

/// Seconds by depth.
using SecondsOfDepth = std::map<int, double>;

struct MeasuredCycle {
  HaloCycle cycle;
  double seconds = 0;
};
using MeasuredCycles = std::vector<MeasuredCycle>;

/// Each fit sets the costs that it is about, and returns its residual: the root of the mean squared relative
/// error. The bytes of halos and the cells of passes both grow with depth, so that whole cycles do not tell
/// their costs apart: exchanges and passes are measured and fitted each for itself, the former first, an
/// overlap and a graph after both.
double fit_exchanges(const HaloShape& shape, const SecondsOfDepth& exchanges, HaloCosts& costs);
/// Fits passes to cycles without overlap. All passes of a cycle have one number of steps, that of the first.
double fit_passes(const HaloShape& shape, const MeasuredCycles& cycles, HaloCosts& costs);
/// Fits what an overlap costs to cycles that all have it.
double fit_overlap(const HaloShape& shape, const MeasuredCycles& cycles, HaloCosts& costs);
/// Fits what a graph saves to cycles that were recorded.
double fit_graph(const HaloShape& shape, const MeasuredCycles& cycles, HaloCosts& costs);

}  // namespace haloheap::comm

#endif
