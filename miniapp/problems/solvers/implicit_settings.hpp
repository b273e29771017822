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

#include <array>
#include <complex>
#include <optional>

namespace haloheap {

/// What heat flows in, and from where.
enum class ImplicitStart {
  tealeaf,  ///< the states of TeaLeaf's benchmarks: a hot block at the end of a bent pipe
  mode,     ///< 1 + a product of cosines in a uniform medium, whose amplitude after each step is known
  wave,     ///< 1 + a wave around a periodic grid with a uniform medium: the same, and its phase
};
constexpr auto names_of(ImplicitStart) {
  return name_table<ImplicitStart>(
      "start",
      {{ImplicitStart::tealeaf, "tealeaf"}, {ImplicitStart::mode, "mode"}, {ImplicitStart::wave, "wave"}});
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
  grid::Triple mode;              ///< half waves, or periods of a wave, in each dimension
  std::array<double, 3> courant;  ///< cells that a uniform flow crosses in a step
  SolverSettings solver;

  comm::Grid grid(int rank) const;
  double width(int dim) const { return implicit_extent / static_cast<double>(cells[dim]); }
  /// Time step over the square of a cell's width in x, by which conductivities are multiplied.
  double number() const { return time_step / (width(0) * width(0)); }
  /// Of the size of the grid: right side, solution, conductivity, and those of the solver.
  int fields() const { return 3 + solver.fields(); }
  /// Whether heat is carried along, so that the operator is not symmetric.
  bool flows() const { return courant != std::array<double, 3>{}; }
  /// Whether each step makes of the start what is known.
  bool is_known() const { return start != ImplicitStart::tealeaf; }
  std::size_t value_bytes() const { return precision == Precision::float32 ? 4 : 8; }
};

/// Adds section implicit.
void add_implicit_keys(deck::Schema& schema);

/// Whether the operator of a deck, of any problem with linear systems, is symmetric.
bool has_symmetric_operator(const deck::Deck& deck);

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
/// What a step multiplies a mode by; a real number unless it is a wave in a flow.
std::complex<double> mode_factor(const ImplicitSettings& settings);
/// The mode itself; `amplitude` is that at the start times a factor for each step.
double mode_value(const ImplicitSettings& settings, const grid::Triple& cell, std::complex<double> amplitude);

}  // namespace haloheap

#endif
