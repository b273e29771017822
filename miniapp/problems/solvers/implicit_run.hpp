// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_IMPLICIT_RUN_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_IMPLICIT_RUN_HPP

#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/solvers/implicit_settings.hpp>

#include <optional>
#include <vector>

namespace haloheap {

/// What a run of implicit steps has found; the same on all ranks.
struct ImplicitResult {
  std::vector<double> seconds;  ///< of each repetition, of the slowest rank
  double warm_up = 0;
  std::int64_t iterations = 0;             ///< of all steps of a run
  std::optional<comm::StopReason> failed;  ///< of the first step that did not converge
  bool stagnated = false;                  ///< whether rounding kept one from the solver's tolerance
  std::optional<double> condition;         ///< of the operator, if the solver has found it
  std::optional<int> block_steps;          ///< AnySolver::block_steps
  double residual = 0;                     ///< the largest ||b - A x|| over ||b - A x_0|| of a step
  double heat_change = 0;             ///< of all heat in the grid, relative; 0 where no heat may leave it
  std::optional<double> temperature;  ///< of start tealeaf: the sum of density, temperature and volume
  std::optional<double> mode_error;   ///< of modes: the largest error over the amplitude at first
  /// Of start mode: the same from the solution of the differential equation.
  std::optional<double> equation_error;
  std::vector<double> history;  ///< of the first step
  std::string mix;
  std::size_t peak_bytes = 0;  ///< of a rank, the largest
};

/// Collective. @throws as the solver, OutOfMemory
ImplicitResult run_implicit(const RunContext& context, const ImplicitSettings& settings);

}  // namespace haloheap

#endif
