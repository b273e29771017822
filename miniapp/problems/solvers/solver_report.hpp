// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_SOLVER_REPORT_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_SOLVER_REPORT_HPP

#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/solvers/solver_settings.hpp>
#include <haloheap/miniapp/report/quantity.hpp>

#include <optional>
#include <string>
#include <vector>

namespace haloheap {

/// Values that an iteration reads and writes in a cell, if it moves no more than its method asks for.
/// @param constants fields of constants that the operator reads
int values_an_iteration(const SolverSettings& settings, int dims, int constants);

/// A note on points with parts of Kokkos-Kernels.
inline constexpr const char* memory_of_assembled =
    "memory does not count the assembled matrix and what Kokkos-Kernels keeps";

/// Why a solver has stopped, by the name of its StopReason.
report::Quantity stop_reason();

/// AnySolver::condition.
report::Quantity condition_number();

/// AnySolver::block_steps, after a run.
report::Quantity last_block_steps();

/// A note on points whose blocks had fewer iterations in the end than the deck asks for.
std::optional<std::string> note_on_blocks(const SolverSettings& settings,
                                          const std::optional<int>& block_steps);

/// Collective: POINT_history.csv in the folder of the results, with norms of the residual as a solver tells
/// them, unless this run is to leave no files.
void write_history(const RunContext& context, const std::vector<double>& history);

}  // namespace haloheap

#endif
