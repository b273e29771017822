// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/grids/boundary_keys.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/grids/plane_wave.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/problems/solvers/implicit_settings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace haloheap {
namespace {

/// TeaLeaf's benchmarks, Benchmarks/tea_bm_1.in to tea_bm_6.in: cells in x and y, and what they print.
struct Published {
  grid::Index cells;
  double temperature;
};
constexpr Published published[] = {{10, 157.55084183279294},   {250, 106.27221178646569},
                                   {500, 99.955877498324000},  {1000, 97.277332050749976},
                                   {4000, 95.462351583362249}, {8000, 95.174738768320850}};
constexpr grid::Index published_steps = 10;
constexpr double published_time_step = 0.004;

/// A state of the benchmarks, in a rectangle.
struct Rectangle {
  double x_low, x_high, y_low, y_high;
  HeatState state;
};
constexpr HeatState background{100, 0.0001};
constexpr Rectangle rectangles[] = {
    {0, 1, 1, 2, {0.1, 25}}, {1, 6, 1, 2, {0.1, 0.1}}, {5, 6, 1, 8, {0.1, 0.1}}, {5, 10, 7, 8, {0.1, 0.1}}};

/// As TeaLeaf has it, rectangles are a hundredth of a cell smaller on each side, so that rounding does not
/// decide whether a cell that only touches one belongs to it.
bool within(double low, double high, double width, grid::Index cell) {
  return width * static_cast<double>(cell + 1) >= low + width / 100 &&
         width * static_cast<double>(cell) < high - width / 100;
}

/// @throws UsageError unless all sides are of the kind with which a start is known
void check_sides(const deck::Deck& deck, const ImplicitSettings& settings, grid::BoundaryKind kind,
                 const std::string& where) {
  for (int dim = 0; dim < settings.dims; ++dim)
    for (const bool high : {false, true})
      if ((high ? settings.boundary.high : settings.boundary.low)[dim] != kind)
        deck.reject(side_key("boundary", dim, high),
                    fmt::format("implicit.start = \"{}\" is known {}", name_of(settings.start), where),
                    fmt::format("use \"{}\" on all sides, or implicit.start = \"tealeaf\"", name_of(kind)));
}

/// A whole number of half waves fits between sides without flux.
void check_mode(const deck::Deck& deck, const ImplicitSettings& settings) {
  check_sides(deck, settings, grid::BoundaryKind::neumann, "between sides without flux");
  for (int dim = 0; dim < settings.dims; ++dim)
    if (settings.mode[dim] >= settings.cells[dim])
      deck.reject("implicit.mode",
                  fmt::format("{} half waves in {} cells cannot be told from fewer", settings.mode[dim],
                              settings.cells[dim]),
                  fmt::format("use at most {}", settings.cells[dim] - 1));
  if (settings.flows())
    deck.reject("implicit.courant", "implicit.start = \"mode\" is known without a flow",
                "use implicit.start = \"wave\" in a periodic grid, or leave implicit.courant out");
}

/// @throws UsageError for what needs a symmetric operator where heat is carried along
void check_method(const deck::Deck& deck) {
  if (has_symmetric_operator(deck)) return;
  const auto check = [&](const char* key, auto choice, const char* others) {
    if (is_for_symmetric(choice))
      deck.reject(
          key,
          fmt::format("'{}' is for symmetric operators, and a flow makes one that is not", name_of(choice)),
          fmt::format("use {} = {}, or leave implicit.courant out", key, others));
  };
  check("solver.method", deck.choice<comm::SolverMethod>("solver.method"), "\"gmres\" or \"bicgstab\"");
  check("solver.preconditioner", deck.choice<PreconditionerChoice>("solver.preconditioner"),
        "\"none\" or \"jacobi\"");
}

PlaneWave wave_of(const ImplicitSettings& settings) {
  return {settings.cells, settings.mode};
}

}  // namespace

void add_implicit_keys(deck::Schema& schema) {
  deck::Section& implicit =
      schema.section("implicit", "Implicit heat, of problems implicit2d and implicit3d");
  implicit.choice("start", ImplicitStart::tealeaf)
      .help(
          "The hot block and the bent pipe of TeaLeaf's benchmarks, or what each step multiplies by a number "
          "that is known: a mode between sides without flux, or a wave around a periodic grid");
  implicit.choice("conductivity", Conductivity::density)
      .help("What heat flows by in a medium of a density: TeaLeaf's tl_coefficient; 1 for a mode or a wave");
  implicit.real("time_step", 0.004)
      .range(1e-12, 1e12)
      .help("Of backward Euler; the grid is 10 wide in each dimension");
  implicit.integers("mode", {})
      .length(2, 3)
      .range(0, deck::largest_count)
      .help("Half waves of start \"mode\", periods of start \"wave\", in each dimension; none: 2 in each");
  implicit.reals("courant", {})
      .length(2, 3)
      .range(-1e6, 1e6)
      .unit("cells/step")
      .help(
          "How far a uniform flow carries heat in a step in each dimension, by upwind differences, for which "
          "solver.method is bicgstab or gmres; none: there is no flow");
}

comm::Grid ImplicitSettings::grid(int rank) const {
  const bool periodic[3] = {boundary.periodic(0), boundary.periodic(1), dims < 3 || boundary.periodic(2)};
  return {dims, cells, comm::Topology::make(rank, ranks, periodic)};
}

bool has_symmetric_operator(const deck::Deck& deck) {
  const auto courant = deck.get<std::vector<double>>("implicit.courant");
  return std::all_of(courant.begin(), courant.end(), [](double number) { return number == 0; });
}

ImplicitSettings read_implicit(const deck::Deck& deck, int ranks) {
  ImplicitSettings settings;
  settings.dims = problems().at(deck.get<std::string>("problem")).dims;
  settings.cells = read_triple(deck, "grid.size", settings.dims, {1, 1, 1});
  settings.ranks = read_rank_grid(deck, {settings.dims, settings.cells}, ranks);
  settings.boundary = read_boundary(deck, settings.dims);
  settings.steps = deck.get<std::int64_t>("grid.steps");
  settings.precision = read_precision(deck);
  settings.time_step = deck.get<double>("implicit.time_step");
  settings.start = deck.choice<ImplicitStart>("implicit.start");
  settings.conductivity = deck.choice<Conductivity>("implicit.conductivity");
  settings.mode = read_triple(deck, "implicit.mode", settings.dims, {2, 2, settings.dims == 3 ? 2 : 0});
  settings.courant = read_reals(deck, "implicit.courant", settings.dims);
  check_method(deck);
  settings.solver = read_solver(deck);
  settings.solver.config.tolerance = read_tolerance(deck);
  check_room(deck, settings.solver, settings.grid(0));
  if (settings.start == ImplicitStart::mode) check_mode(deck, settings);
  if (settings.start == ImplicitStart::wave)
    check_sides(deck, settings, grid::BoundaryKind::periodic, "around a periodic grid");
  return settings;
}

std::optional<double> published_temperature(const ImplicitSettings& settings) {
  const bool closed = [&] {
    for (int dim = 0; dim < settings.dims; ++dim)
      if (settings.boundary.low[dim] != grid::BoundaryKind::neumann ||
          settings.boundary.high[dim] != grid::BoundaryKind::neumann)
        return false;
    return true;
  }();
  if (!closed || settings.flows() || settings.start != ImplicitStart::tealeaf ||
      settings.steps != published_steps || settings.time_step != published_time_step ||
      settings.conductivity != Conductivity::density || settings.cells.x != settings.cells.y)
    return std::nullopt;
  // In three dimensions nothing depends on z, which is 10 long.
  for (const Published& one : published)
    if (one.cells == settings.cells.x) return one.temperature * (settings.dims == 3 ? implicit_extent : 1);
  return std::nullopt;
}

HeatState tealeaf_state(const ImplicitSettings& settings, const grid::Triple& cell) {
  HeatState state = background;
  for (const Rectangle& rectangle : rectangles)
    if (within(rectangle.x_low, rectangle.x_high, settings.width(0), cell.x) &&
        within(rectangle.y_low, rectangle.y_high, settings.width(1), cell.y))
      state = rectangle.state;
  return state;
}

double undivided_mode_left(const ImplicitSettings& settings) {
  double rate = 0;
  for (int dim = 0; dim < settings.dims; ++dim)
    rate += std::pow(std::numbers::pi * static_cast<double>(settings.mode[dim]) / implicit_extent, 2);
  return std::exp(-rate * settings.time_step * static_cast<double>(settings.steps));
}

double mode_value(const ImplicitSettings& settings, const grid::Triple& cell,
                  std::complex<double> amplitude) {
  if (settings.start == ImplicitStart::wave) return wave_of(settings).at(cell, amplitude);
  double value = 1;
  for (int dim = 0; dim < settings.dims; ++dim)
    value *= std::cos(std::numbers::pi * static_cast<double>(settings.mode[dim]) *
                      (static_cast<double>(cell[dim]) + 0.5) / static_cast<double>(settings.cells[dim]));
  return amplitude.real() * value;
}

std::complex<double> mode_factor(const ImplicitSettings& settings) {
  std::complex<double> eigenvalue = 0;
  const double periods = settings.start == ImplicitStart::wave ? 1 : 0.5;
  for (int dim = 0; dim < settings.dims; ++dim) {
    const double angle = periods * wave_of(settings).angle(dim);
    const double courant = settings.courant[static_cast<std::size_t>(dim)];
    eigenvalue +=
        2 * settings.time_step / (settings.width(dim) * settings.width(dim)) * (1 - std::cos(angle));
    eigenvalue += std::abs(courant) * (1.0 - std::polar(1.0, courant > 0 ? -angle : angle));
  }
  return 1.0 / (1.0 + eigenvalue);
}

}  // namespace haloheap
