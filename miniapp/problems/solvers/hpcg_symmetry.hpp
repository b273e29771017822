// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_HPCG_SYMMETRY_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_HPCG_SYMMETRY_HPP

#include <haloheap/comm/solvers/linear_operator.hpp>
#include <haloheap/miniapp/problems/solvers/solver_settings.hpp>

#include <optional>

namespace haloheap {

/// How far an operator is from being symmetric: |x'Ay - y'Ax| / (2 |x| |A| |y| epsilon) for two drawn fields,
/// as HPCG's program has it in words, with its |A| = 52 for both.
struct HpcgSymmetry {
  double matrix = 0;
  std::optional<double> preconditioner;  ///< a V-cycle, where the solver has one
};

/// Collective. @throws as a solver, OutOfMemory
HpcgSymmetry test_symmetry(const comm::LinearOperator<double>& matrix, const SolverSettings& settings);

}  // namespace haloheap

#endif
