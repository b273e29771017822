// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_SOLVER_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_SOLVER_SETTINGS_HPP

#include <haloheap/comm/solvers/solver_config.hpp>
#include <haloheap/miniapp/deck/deck.hpp>

namespace haloheap {

/// How a deck wants its linear systems to be solved.
struct SolverSettings {
  comm::SolverMethod method = comm::SolverMethod::cg;
  comm::SolverConfig config;

  bool multigrid() const {
    return method == comm::SolverMethod::multigrid ||
           config.preconditioner == comm::Preconditioner::multigrid;
  }
  /// Applications of the operator for each exchange.
  int depth() const;
  /// Of the size of the grid that the solver has beside right side and solution; of multigrid also the coarse
  /// ones.
  int fields() const;
};

/// Adds section solver without its tolerance,
void add_solver_keys(deck::Schema& schema);
/// and solver.tolerance, of problems that do not say themselves where a solver stops.
void add_tolerance_keys(deck::Schema& schema);

/// What add_solver_keys and add_transport_keys add. @throws UsageError with the place in the deck
SolverSettings read_solver(const deck::Deck& deck);
double read_tolerance(const deck::Deck& deck);

}  // namespace haloheap

#endif
