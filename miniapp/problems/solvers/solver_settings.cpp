// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/solvers/solver_problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/solvers/solver_settings.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

const char* key_of(comm::SolverSetting setting) {
  return setting == comm::SolverSetting::preconditioner ? "solver.preconditioner" : "solver.block_steps";
}

/// @throws UsageError for what needs an assembled matrix where there can be none
void check_assembled(const deck::Deck& deck, const SolverSettings& settings) {
  const bool own = needs_assembled(settings.preconditioner);
  const char* const key = own ? "solver.preconditioner" : "solver.operator";
  const std::string what = own ? name_of(settings.preconditioner) : name_of(settings.form);
  using enum comm::SolverMethod;
  if (settings.method != cg && settings.method != bicgstab && settings.method != gmres)
    deck.reject(key, fmt::format("method '{}' is to work with '{}'", name_of(settings.method), what),
                "use solver.method = \"cg\", \"bicgstab\" or \"gmres\"",
                own ? "it takes no preconditioner but those of haloheap"
                    : "its operator does more than products, or was never tried with these");
  if (settings.multigrid() || settings.config.preconditioner == comm::Preconditioner::polynomial)
    deck.reject(
        key, fmt::format("preconditioner '{}' is to work with '{}'", name_of(settings.preconditioner), what),
        "use another preconditioner, or solver.operator = \"matrix_free\"",
        "it applies the operator in ways that Kokkos-Kernels does not have");
  if (!with_kokkos_kernels())
    deck.reject(key,
                fmt::format("'{}' is a part of Kokkos-Kernels, without which this program was built", what),
                "configure with HALOHEAP_MINIAPP_KOKKOS_KERNELS=ON");
}

}  // namespace

void add_solver_keys(deck::Schema& schema) {
  deck::Section& solver = schema.section("solver", "Solvers of linear systems");
  solver.choice("method", comm::SolverMethod::cg)
      .or_auto()
      .help(
          "Conjugate gradients, the same with one sum an iteration that overlaps with it or with one "
          "exchange "
          "and one sum for several iterations, a Chebyshev iteration after a few of them, the stabilised "
          "method of biconjugate gradients, generalised minimal residuals, or V-cycles on ever coarser "
          "grids");
  solver.choice("preconditioner", PreconditionerChoice::none)
      .or_auto()
      .help(
          "What a residual is multiplied by before a direction is made of it; gauss_seidel and ilu are made "
          "of the assembled matrix by Kokkos-Kernels, of each rank's own cells");
  solver.choice("operator", OperatorForm::matrix_free)
      .help(
          "What products of methods cg, bicgstab and gmres are made by: the rule, or an assembled matrix by "
          "Kokkos-Kernels");
  solver.integer("max_iterations", 10000)
      .range(0, deck::largest_count)
      .unit("iterations")
      .help("For each step, or each solution, at most");
  solver.integer("first_iterations", 30)
      .range(1, deck::largest_count)
      .unit("iterations")
      .help("Of conjugate gradients, before a Chebyshev iteration or polynomials can begin");
  solver.integer("inner_steps", 10)
      .range(1, deck::largest_count)
      .unit("steps")
      .or_auto()
      .help("Of the polynomial, in each iteration");
  solver.integer("smoothing_steps", 2)
      .range(1, 8)
      .unit("steps")
      .or_auto()
      .help("Of multigrid, on each level before and after the correction by coarser ones");
  solver.integer("restart", 30)
      .range(1, 1000)
      .unit("iterations")
      .help("Of method gmres, before it begins anew with the residual: each needs a field");
  solver.integer("replace_interval", 50)
      .range(1, deck::largest_count)
      .unit("iterations")
      .help("Of methods pipelined_cg and s_step_cg, from one residual that is computed anew to the next");
  solver.integer("block_steps", 4)
      .range(1, comm::max_block_steps)
      .unit("iterations")
      .or_auto()
      .help("Of method s_step_cg, for each exchange and each sum of all ranks");
  solver.integer("check_interval", 10)
      .range(1, deck::largest_count)
      .unit("steps")
      .help("Steps of a Chebyshev iteration from one look at the residual to the next");
}

void add_tolerance_keys(deck::Schema& schema) {
  schema.section("solver", "Solvers of linear systems")
      .real("tolerance", 1e-10)
      .range(0, 1)
      .help("Of the norm of the residual to that of the first one, where a solver stops");
}

comm::Preconditioner library_preconditioner(PreconditionerChoice choice) {
  if (needs_assembled(choice)) return comm::Preconditioner::none;
  return from_name<comm::Preconditioner>(name_of(choice));
}

int SolverSettings::depth() const {
  if (multigrid()) return comm::multigrid_depth(config.smoothing_steps);
  return method == comm::SolverMethod::s_step_cg ? config.block_steps : 1;
}

int SolverSettings::fields() const {
  constexpr int conjugate = 4, inner = 4;
  constexpr int cycle = 4 + 3 + 1;  // on the grid itself, on all coarser ones together, and in the set-up
  if (multigrid()) return (method == comm::SolverMethod::multigrid ? 1 : conjugate) + cycle;
  const bool scaled = config.preconditioner == comm::Preconditioner::jacobi;
  const bool own = needs_assembled(preconditioner);
  if (method == comm::SolverMethod::bicgstab) return 5 + (scaled ? 1 : 0) + (own ? 2 : 0);
  if (method == comm::SolverMethod::gmres) return config.restart + 1 + (scaled || own ? 1 : 0);
  if (method == comm::SolverMethod::pipelined_cg) return 7 + (scaled ? 1 : 0);
  if (method == comm::SolverMethod::s_step_cg) return 1 + 2 + 2 * config.block_steps - 1;
  if (method == comm::SolverMethod::chebyshev) return conjugate + inner + 1;
  if (scaled || own) return conjugate + 1;
  return config.preconditioner == comm::Preconditioner::none ? conjugate : conjugate + 1 + inner;
}

SolverSettings read_solver(const deck::Deck& deck) {
  SolverSettings settings;
  settings.method = deck.choice<comm::SolverMethod>("solver.method");
  comm::SolverConfig& config = settings.config;
  settings.form = deck.choice<OperatorForm>("solver.operator");
  settings.preconditioner = deck.choice<PreconditionerChoice>("solver.preconditioner");
  config.preconditioner = library_preconditioner(settings.preconditioner);
  config.first_iterations = deck.number("solver.first_iterations");
  config.inner_steps = deck.number("solver.inner_steps");
  config.block_steps = deck.number("solver.block_steps");
  config.smoothing_steps = deck.number("solver.smoothing_steps");
  config.restart = deck.number("solver.restart");
  config.replace_interval = deck.number("solver.replace_interval");
  config.check_interval = deck.number("solver.check_interval");
  if (const auto problem = comm::solver_problem(settings.method, config))
    deck.reject(key_of(problem->setting), *problem);
  if (settings.assembled()) check_assembled(deck, settings);
  config.max_iterations = deck.number("solver.max_iterations");
  config.halo = read_exchange_config(deck);
  return settings;
}

void check_room(const deck::Deck& deck, const SolverSettings& settings, const comm::Grid& grid) {
  const grid::Index depth = settings.depth();
  const auto problem = comm::halo_width_problem(grid.topology.ranks, grid.topology.periodic, grid.dims,
                                                {depth, depth, depth}, grid.cells);
  if (!problem) return;
  deck.reject(settings.multigrid() ? "solver.smoothing_steps" : "solver.block_steps", problem->cause,
              "use fewer of these steps, another method, fewer ranks in that dimension, or a larger grid",
              problem->consequence);
}

double read_tolerance(const deck::Deck& deck) {
  return deck.get<double>("solver.tolerance");
}

}  // namespace haloheap
