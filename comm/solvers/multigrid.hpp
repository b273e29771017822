// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_MULTIGRID_HPP
#define HALOHEAP_COMM_SOLVERS_MULTIGRID_HPP

#include <haloheap/comm/solvers/linear_system.hpp>
#include <haloheap/comm/solvers/v_cycle.hpp>

#include <memory>
#include <string>

namespace haloheap::comm {

/// Solves A x = b for an operator that is symmetric and positive definite, with a rule of radius 1, by
/// V-cycles on ever coarser grids ([Trottenberg2001]; detail::VCycle says what a cycle is): an iteration is a
/// cycle, and a residual with its norm. The number of iterations does not grow with the grid.
///
///     const comm::LinearOperator matrix(world, grid, Poisson{}, sides, {.depth = comm::multigrid_depth(2)});
///     comm::Multigrid solver(matrix, {.tolerance = 1e-8, .smoothing_steps = 2}, b, x);
///
/// Where coefficients jump from cell to cell, a ConjugateGradient with Preconditioner::multigrid needs fewer
/// cycles. Coarse operators are made by the first solve: after LinearOperator::refresh_constants make another
/// solver.
///
/// Residuals, iterations and solution have the same bits on any ranks, transports and threads.
template <class T>
class Multigrid {
 public:
  using Exec = backend::Exec;

  /// Collective. @throws as ConjugateGradient; UsageError for an operator of other radius than 1 or of less
  /// depth than multigrid_depth(config.smoothing_steps). OutOfMemory for four fields and those of coarser
  /// grids, which are about as large as three more
  Multigrid(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
            const FieldData<T>& x);

  /// Collective: see ConjugateGradient::solve. StopReason::stagnated where rounding leaves no smaller
  /// residual.
  Solution solve(const Exec& exec);

  std::string mix() const { return system_.mix(); }

 private:
  detail::LinearSystem<T> system_;
  memory::Array<T> z_;
  detail::VCycle<T> cycle_;
};

template <class T, class... Data>
Multigrid(const LinearOperator<T>&, const SolverConfig&, Data&&...) -> Multigrid<T>;

extern template class Multigrid<float>;
extern template class Multigrid<double>;

}  // namespace haloheap::comm

#endif
