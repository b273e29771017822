// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/solver_problem.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/grids/boundary_keys.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/problems/solvers/implicit_settings.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace haloheap {
namespace {

const char* key_of(comm::SolverSetting setting) {
  return setting == comm::SolverSetting::preconditioner ? "solver.preconditioner" : "solver.block_steps";
}

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

/// A whole number of half waves fits between sides without flux.
void check_mode(const deck::Deck& deck, const ImplicitSettings& settings) {
  for (int dim = 0; dim < settings.dims; ++dim)
    for (const bool high : {false, true})
      if ((high ? settings.boundary.high : settings.boundary.low)[dim] != grid::BoundaryKind::neumann)
        deck.reject(side_key("boundary", dim, high),
                    "implicit.start = \"mode\" is known between sides without flux",
                    "use \"neumann\" on all sides, or implicit.start = \"tealeaf\"");
  for (int dim = 0; dim < settings.dims; ++dim)
    if (settings.mode[dim] >= settings.cells[dim])
      deck.reject("implicit.mode",
                  fmt::format("{} half waves in {} cells cannot be told from fewer", settings.mode[dim],
                              settings.cells[dim]),
                  fmt::format("use at most {}", settings.cells[dim] - 1));
}

/// @throws UsageError for what needs an assembled matrix where there can be none
void check_assembled(const deck::Deck& deck, const ImplicitSettings& settings) {
  const bool own = needs_assembled(settings.preconditioner);
  const char* const key = own ? "solver.preconditioner" : "solver.operator";
  const std::string what = own ? name_of(settings.preconditioner) : name_of(settings.form);
  using enum comm::SolverMethod;
  if (settings.method != cg && settings.method != bicgstab)
    deck.reject(key, fmt::format("method '{}' is to work with '{}'", name_of(settings.method), what),
                "use solver.method = \"cg\" or \"bicgstab\"",
                "it asks for more of its operator than Kokkos-Kernels has");
  if (settings.multigrid() || settings.solver.preconditioner == comm::Preconditioner::polynomial)
    deck.reject(
        key, fmt::format("preconditioner '{}' is to work with '{}'", name_of(settings.preconditioner), what),
        "use another preconditioner, or solver.operator = \"matrix_free\"",
        "it applies the operator in ways that Kokkos-Kernels does not have");
  if (!with_kokkos_kernels())
    deck.reject(key,
                fmt::format("'{}' is a part of Kokkos-Kernels, without which this program was built", what),
                "configure with HALOHEAP_ENABLE_KOKKOS_KERNELS=ON");
}

}  // namespace

void add_implicit_keys(deck::Schema& schema) {
  deck::Section& implicit =
      schema.section("implicit", "Implicit heat, of problems implicit2d and implicit3d");
  implicit.choice("start", ImplicitStart::tealeaf)
      .help("The hot block and the bent pipe of TeaLeaf's benchmarks, or a mode whose decay is known");
  implicit.choice("conductivity", Conductivity::density)
      .help("What heat flows by in a medium of a density: TeaLeaf's tl_coefficient; 1 for a mode");
  implicit.real("time_step", 0.004)
      .range(1e-12, 1e12)
      .help("Of backward Euler; the grid is 10 wide in each dimension");
  implicit.integers("mode", {})
      .length(2, 3)
      .range(0, deck::largest_count)
      .help("Half waves in each dimension of start \"mode\"; none: 2 in each");
  deck::Section& solver = schema.section("solver", "Solvers of linear systems");
  solver.choice("method", comm::SolverMethod::cg)
      .help(
          "Conjugate gradients, the same with one sum an iteration that overlaps with it or with one "
          "exchange "
          "and one sum for several iterations, a Chebyshev iteration after a few of them, the stabilised "
          "method of biconjugate gradients, or V-cycles on ever coarser grids");
  solver.choice("preconditioner", PreconditionerChoice::none)
      .help(
          "What a residual is multiplied by before a direction is made of it; gauss_seidel and ilu are made "
          "of the "
          "assembled matrix by Kokkos-Kernels, of each rank's own cells");
  solver.choice("operator", OperatorForm::matrix_free)
      .help(
          "What products of methods cg and bicgstab are made by: the rule, or an assembled matrix by "
          "Kokkos-Kernels");
  solver.real("tolerance", 1e-10)
      .range(0, 1)
      .help("Of the norm of the residual to that of the first one, where a solver stops");
  solver.integer("max_iterations", 10000)
      .range(0, deck::largest_count)
      .unit("iterations")
      .help("For each step at most");
  solver.integer("first_iterations", 30)
      .range(1, deck::largest_count)
      .unit("iterations")
      .help("Of conjugate gradients, before a Chebyshev iteration or polynomials can begin");
  solver.integer("inner_steps", 10)
      .range(1, deck::largest_count)
      .unit("steps")
      .help("Of the polynomial, in each iteration");
  solver.integer("smoothing_steps", 2)
      .range(1, 8)
      .unit("steps")
      .help("Of multigrid, on each level before and after the correction by coarser ones");
  solver.integer("replace_interval", 50)
      .range(1, deck::largest_count)
      .unit("iterations")
      .help("Of methods pipelined_cg and s_step_cg, from one residual that is computed anew to the next");
  solver.integer("block_steps", 4)
      .range(1, comm::max_block_steps)
      .unit("iterations")
      .help("Of method s_step_cg, for each exchange and each sum of all ranks");
  solver.integer("check_interval", 10)
      .range(1, deck::largest_count)
      .unit("steps")
      .help("Steps of a Chebyshev iteration from one look at the residual to the next");
}

comm::Grid ImplicitSettings::grid(int rank) const {
  const bool periodic[3] = {boundary.periodic(0), boundary.periodic(1), dims < 3 || boundary.periodic(2)};
  return {dims, cells, comm::Topology::make(rank, ranks, periodic)};
}

int ImplicitSettings::depth() const {
  if (multigrid()) return comm::multigrid_depth(solver.smoothing_steps);
  return method == comm::SolverMethod::s_step_cg ? solver.block_steps : 1;
}

int ImplicitSettings::fields() const {
  constexpr int conjugate = 3 + 4, inner = 4;
  constexpr int cycle = 4 + 5;  // on the grid itself, and on all coarser ones together
  if (multigrid()) return (method == comm::SolverMethod::multigrid ? 3 + 1 : conjugate) + cycle;
  const bool scaled = solver.preconditioner == comm::Preconditioner::jacobi;
  const bool own = needs_assembled(preconditioner);
  if (method == comm::SolverMethod::bicgstab) return 3 + 5 + (scaled ? 1 : 0) + (own ? 2 : 0);
  if (method == comm::SolverMethod::pipelined_cg) return 3 + 7 + (scaled ? 1 : 0);
  if (method == comm::SolverMethod::s_step_cg) return 3 + 1 + 2 + 2 * solver.block_steps - 1;
  if (method == comm::SolverMethod::chebyshev) return conjugate + inner + 1;
  if (scaled || own) return conjugate + 1;
  return solver.preconditioner == comm::Preconditioner::none ? conjugate : conjugate + 1 + inner;
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
  settings.form = deck.choice<OperatorForm>("solver.operator");
  settings.preconditioner = deck.choice<PreconditionerChoice>("solver.preconditioner");
  if (!needs_assembled(settings.preconditioner))
    settings.solver.preconditioner = from_name<comm::Preconditioner>(name_of(settings.preconditioner));
  settings.method = deck.choice<comm::SolverMethod>("solver.method");
  settings.solver.first_iterations = deck.number("solver.first_iterations");
  settings.solver.inner_steps = deck.number("solver.inner_steps");
  settings.solver.block_steps = deck.number("solver.block_steps");
  settings.solver.smoothing_steps = deck.number("solver.smoothing_steps");
  settings.solver.replace_interval = deck.number("solver.replace_interval");
  settings.solver.check_interval = deck.number("solver.check_interval");
  if (const auto problem = comm::solver_problem(settings.method, settings.solver))
    deck.reject(key_of(problem->setting), *problem);
  if (settings.assembled()) check_assembled(deck, settings);
  settings.solver.tolerance = deck.get<double>("solver.tolerance");
  settings.solver.max_iterations = deck.number("solver.max_iterations");
  settings.solver.halo = read_exchange_config(deck);
  if (settings.start == ImplicitStart::mode) check_mode(deck, settings);
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
  if (!closed || settings.start != ImplicitStart::tealeaf || settings.steps != published_steps ||
      settings.time_step != published_time_step || settings.conductivity != Conductivity::density ||
      settings.cells.x != settings.cells.y)
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

double mode_value(const ImplicitSettings& settings, const grid::Triple& cell) {
  double value = 1;
  for (int dim = 0; dim < settings.dims; ++dim)
    value *= std::cos(std::numbers::pi * static_cast<double>(settings.mode[dim]) *
                      (static_cast<double>(cell[dim]) + 0.5) / static_cast<double>(settings.cells[dim]));
  return value;
}

double mode_factor(const ImplicitSettings& settings) {
  double eigenvalue = 0;
  for (int dim = 0; dim < settings.dims; ++dim) {
    const double number = settings.time_step / (settings.width(dim) * settings.width(dim));
    eigenvalue += 2 * number *
                  (1 - std::cos(std::numbers::pi * static_cast<double>(settings.mode[dim]) /
                                static_cast<double>(settings.cells[dim])));
  }
  return 1 / (1 + eigenvalue);
}

}  // namespace haloheap
