// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_HPCG_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_HPCG_SETTINGS_HPP

#include <haloheap/comm/halo/grid.hpp>
#include <haloheap/miniapp/problems/solvers/solver_settings.hpp>

namespace haloheap {

struct HpcgSettings {
  grid::Triple cells, ranks;
  int reference_iterations = 50;
  SolverSettings solver;  ///< without a tolerance, which the reference finds

  comm::Grid grid(int rank) const;
  /// Of the size of the grid: right side, solution, and those of the solver.
  int fields() const { return 2 + solver.fields(); }
};

/// Adds section hpcg.
void add_hpcg_keys(deck::Schema& schema);

/// @throws UsageError with the place in the deck
HpcgSettings read_hpcg(const deck::Deck& deck, int ranks);

}  // namespace haloheap

#endif
