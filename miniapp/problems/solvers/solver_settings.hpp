// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_SOLVER_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_SOLVER_SETTINGS_HPP

#include <haloheap/comm/halo/grid.hpp>
#include <haloheap/comm/solvers/solver_config.hpp>
#include <haloheap/core/base/names.hpp>
#include <haloheap/miniapp/deck/deck.hpp>

namespace haloheap {

/// What products with the operator are made by.
enum class OperatorForm { matrix_free, assembled };
constexpr auto names_of(OperatorForm) {
  return name_table<OperatorForm>(
      "operator", {{OperatorForm::matrix_free, "matrix_free"}, {OperatorForm::assembled, "assembled"}});
}

/// What a deck may choose: those of the library, and those that Kokkos-Kernels makes of an assembled matrix.
enum class PreconditionerChoice { none, jacobi, polynomial, multigrid, gauss_seidel, ilu };
constexpr auto names_of(PreconditionerChoice) {
  return name_table<PreconditionerChoice>("preconditioner",
                                          {{PreconditionerChoice::none, "none"},
                                           {PreconditionerChoice::jacobi, "jacobi"},
                                           {PreconditionerChoice::polynomial, "polynomial"},
                                           {PreconditionerChoice::multigrid, "multigrid"},
                                           {PreconditionerChoice::gauss_seidel, "gauss_seidel"},
                                           {PreconditionerChoice::ilu, "ilu"}});
}
constexpr bool needs_assembled(PreconditionerChoice choice) {
  return choice == PreconditionerChoice::gauss_seidel || choice == PreconditionerChoice::ilu;
}

/// Whether a method, or a preconditioner, is for symmetric operators only.
constexpr bool is_for_symmetric(comm::SolverMethod method) {
  return method != comm::SolverMethod::bicgstab && method != comm::SolverMethod::gmres;
}
constexpr bool is_for_symmetric(PreconditionerChoice choice) {
  return choice == PreconditionerChoice::polynomial || choice == PreconditionerChoice::multigrid;
}

/// That of the library; none where Kokkos-Kernels has it.
comm::Preconditioner library_preconditioner(PreconditionerChoice choice);

/// Whether this program was built with Kokkos-Kernels.
bool with_kokkos_kernels();

/// How a deck wants its linear systems to be solved.
struct SolverSettings {
  comm::SolverMethod method = comm::SolverMethod::cg;
  OperatorForm form = OperatorForm::matrix_free;
  PreconditionerChoice preconditioner = PreconditionerChoice::none;
  comm::SolverConfig config;  ///< with that preconditioner if it is one of the library

  /// Whether Kokkos-Kernels has a part in it.
  bool assembled() const { return form == OperatorForm::assembled || needs_assembled(preconditioner); }
  bool multigrid() const {
    return method == comm::SolverMethod::multigrid ||
           config.preconditioner == comm::Preconditioner::multigrid;
  }
  /// Applications of the operator for each exchange.
  int depth() const;
  /// Of the size of the grid that the solver has beside right side and solution; of multigrid also the coarse
  /// ones.
  int fields() const;
  /// For the rims of coarse fields, which are small and have wide ones.
  std::size_t rim_bytes() const { return multigrid() ? 16 << 20 : 0; }
};

/// Adds section solver without its tolerance,
void add_solver_keys(deck::Schema& schema);
/// and solver.tolerance, of problems that do not say themselves where a solver stops.
void add_tolerance_keys(deck::Schema& schema);

/// What add_solver_keys and add_transport_keys add. @throws UsageError with the place in the deck
SolverSettings read_solver(const deck::Deck& deck);
double read_tolerance(const deck::Deck& deck);

/// @throws UsageError if a rank has fewer cells than the solver exchanges
void check_room(const deck::Deck& deck, const SolverSettings& settings, const comm::Grid& grid);

}  // namespace haloheap

#endif
