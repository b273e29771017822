// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_IMPLICIT_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_IMPLICIT_SETTINGS_HPP

#include <haloheap/comm/halo/grid.hpp>
#include <haloheap/core/base/names.hpp>
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/solvers/solver_settings.hpp>

#include <optional>

namespace haloheap {

/// What heat flows in, and from where.
enum class ImplicitStart {
  tealeaf,  ///< the states of TeaLeaf's benchmarks: a hot block at the end of a bent pipe
  mode,     ///< 1 + a product of cosines in a uniform medium, whose amplitude after each step is known
};
constexpr auto names_of(ImplicitStart) {
  return name_table<ImplicitStart>("start",
                                   {{ImplicitStart::tealeaf, "tealeaf"}, {ImplicitStart::mode, "mode"}});
}

/// What the medium's density makes of its conductivity.
enum class Conductivity { density, reciprocal };
constexpr auto names_of(Conductivity) {
  return name_table<Conductivity>(
      "conductivity", {{Conductivity::density, "density"}, {Conductivity::reciprocal, "reciprocal"}});
}

/// The edge of the square, or cube, that the grid covers.
inline constexpr double implicit_extent = 10;

struct ImplicitSettings {
  int dims = 2;
  grid::Triple cells, ranks;
  grid::Boundary boundary;
  grid::Index steps = 0;
  Precision precision = Precision::float64;
  double time_step = 0;
  ImplicitStart start = ImplicitStart::tealeaf;
  Conductivity conductivity = Conductivity::density;
  grid::Triple mode;  ///< half waves in each dimension
  SolverSettings solver;

  comm::Grid grid(int rank) const;
  double width(int dim) const { return implicit_extent / static_cast<double>(cells[dim]); }
  /// Time step over the square of a cell's width in x, by which conductivities are multiplied.
  double number() const { return time_step / (width(0) * width(0)); }
  /// Of the size of the grid: right side, solution, conductivity, and those of the solver.
  int fields() const { return 3 + solver.fields(); }
  std::size_t value_bytes() const { return precision == Precision::float32 ? 4 : 8; }
};

/// Adds section implicit.
void add_implicit_keys(deck::Schema& schema);

/// @throws UsageError with the place in the deck
ImplicitSettings read_implicit(const deck::Deck& deck, int ranks);

/// The sum of density times temperature times volume that TeaLeaf publishes for this run, if it is one of
/// its benchmarks: TeaLeaf_ref, field_summary.f90.
std::optional<double> published_temperature(const ImplicitSettings& settings);
/// How far away from it a run may be, in percent: TeaLeaf's own bound.
inline constexpr double published_tolerance = 0.001;

/// The medium of TeaLeaf's benchmarks in a cell.
struct HeatState {
  double density, energy;
};
HeatState tealeaf_state(const ImplicitSettings& settings, const grid::Triple& cell);

/// What of the amplitude of a mode the differential equation leaves after all steps, where neither time nor
/// space is divided.
double undivided_mode_left(const ImplicitSettings& settings);
/// What of the amplitude of a mode is left after a step.
double mode_factor(const ImplicitSettings& settings);
/// The mode itself, with amplitude 1.
double mode_value(const ImplicitSettings& settings, const grid::Triple& cell);

}  // namespace haloheap

#endif
