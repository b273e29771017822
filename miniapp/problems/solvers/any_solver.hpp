// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_ANY_SOLVER_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_ANY_SOLVER_HPP

#include <haloheap/comm/solvers/linear_operator.hpp>
#include <haloheap/miniapp/problems/solvers/solver_settings.hpp>

#include <functional>
#include <optional>
#include <string>

namespace haloheap {

/// A solver of whatever method, with what problems ask of it.
struct AnySolver {
  std::function<comm::Solution(const backend::Exec&)> solve;
  std::function<std::string()> mix;
  /// The operator's largest eigenvalue over its smallest one, if iterations have told.
  std::function<std::optional<double>()> condition;
  /// Iterations of a block now, of methods that make blocks.
  std::function<std::optional<int>()> block_steps;
};

/// The one that a deck names. Collective. @throws as its constructor
template <class T>
AnySolver make_solver(const SolverSettings& settings, const comm::LinearOperator<T>& matrix,
                      const comm::FieldData<T>& b, const comm::FieldData<T>& x);

extern template AnySolver make_solver(const SolverSettings&, const comm::LinearOperator<float>&,
                                      const comm::FieldData<float>&, const comm::FieldData<float>&);
extern template AnySolver make_solver(const SolverSettings&, const comm::LinearOperator<double>&,
                                      const comm::FieldData<double>&, const comm::FieldData<double>&);

}  // namespace haloheap

#endif
