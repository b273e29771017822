// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_SOLVER_PROBLEM_HPP
#define HALOHEAP_COMM_SOLVERS_SOLVER_PROBLEM_HPP

#include <haloheap/comm/solvers/solver_config.hpp>
#include <haloheap/core/base/config_problem.hpp>

#include <optional>

namespace haloheap::comm {

/// Settings of a SolverConfig that a method may not have as they are.
enum class SolverSetting { preconditioner, block_steps };

/// Why a method does not work with this configuration, whatever the operator; nothing if it does. Numbers
/// that no method works with are not looked at.
std::optional<ConfigProblem<SolverSetting>> solver_problem(SolverMethod method, const SolverConfig& config);

}  // namespace haloheap::comm

#endif
