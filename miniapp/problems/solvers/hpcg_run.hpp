// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_HPCG_RUN_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_HPCG_RUN_HPP

#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_reference.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_settings.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_symmetry.hpp>

#include <optional>
#include <string>
#include <vector>

namespace haloheap {

/// What a run has found; the same on all ranks.
struct HpcgResult {
  std::vector<double> seconds;  ///< of each repetition, of the slowest rank
  double warm_up = 0;
  std::optional<double> condition;  ///< of the operator, if the solver has found it
  std::optional<int> block_steps;   ///< AnySolver::block_steps
  double set_up = 0;  ///< seconds for operator, solver and coarse operators, of the slowest rank
  /// ||b - A 1||, which is 0 without any rounding if the operator is HPCG's.
  double of_ones = 0;
  comm::Solution solution;               ///< of the last repetition
  double error = 0;                      ///< the largest difference of the solution from 1
  std::optional<HpcgSymmetry> symmetry;  ///< of verified runs
  std::string mix;
  std::size_t peak_bytes = 0;  ///< of a rank's fields and buffers, the largest
};

/// Collective. @throws as the solver, OutOfMemory; AgreedError with the place in the deck if the reference
/// has made so many iterations that its residual is 0
/// @param reference of this grid, rank grid and number of iterations
HpcgResult run_hpcg(const RunContext& context, const HpcgSettings& settings, const HpcgReference& reference);

}  // namespace haloheap

#endif
