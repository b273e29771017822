// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_SOLVER_CONFIG_HPP
#define HALOHEAP_COMM_SOLVERS_SOLVER_CONFIG_HPP

#include <haloheap/comm/halo/halo_exchange_config.hpp>
#include <haloheap/core/base/names.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <memory>
#include <vector>

namespace haloheap::comm {

/// How a linear system is solved.
enum class SolverMethod {
  cg,            ///< ConjugateGradient
  pipelined_cg,  ///< PipelinedConjugateGradient
  s_step_cg,     ///< SStepConjugateGradient
  chebyshev,     ///< Chebyshev
  bicgstab,      ///< BiCGStab
  gmres,         ///< Gmres
  multigrid,     ///< Multigrid
};
constexpr auto names_of(SolverMethod) {
  return name_table<SolverMethod>("method", {{SolverMethod::cg, "cg"},
                                             {SolverMethod::pipelined_cg, "pipelined_cg"},
                                             {SolverMethod::s_step_cg, "s_step_cg"},
                                             {SolverMethod::chebyshev, "chebyshev"},
                                             {SolverMethod::bicgstab, "bicgstab"},
                                             {SolverMethod::gmres, "gmres"},
                                             {SolverMethod::multigrid, "multigrid"}});
}

/// What a residual is multiplied by before a search direction is made of it.
enum class Preconditioner {
  none,
  jacobi,      ///< the inverse of the operator's diagonal
  polynomial,  ///< steps of a Chebyshev iteration, which need no sums of all ranks
  multigrid,   ///< a V-cycle on ever coarser grids, which needs none either
};
constexpr auto names_of(Preconditioner) {
  return name_table<Preconditioner>("preconditioner", {{Preconditioner::none, "none"},
                                                       {Preconditioner::jacobi, "jacobi"},
                                                       {Preconditioner::polynomial, "polynomial"},
                                                       {Preconditioner::multigrid, "multigrid"}});
}

/// SolverConfig::block_steps at most: a basis of more has no digits left.
inline constexpr int max_block_steps = 8;

/// OperatorConfig::depth of an operator for multigrid, so that smoothing and restriction need one exchange.
constexpr int multigrid_depth(int smoothing_steps) {
  return smoothing_steps < 3 ? smoothing_steps + 2 : 2 * smoothing_steps - 1;
}

/// Which method can have which values: see solver_problem.
struct SolverConfig {
  /// Of the norm of the residual, ||b - A x||, to that of the first one: where it is reached the solver
  /// stops.
  double tolerance = 1e-8;
  int max_iterations = 10000;
  Preconditioner preconditioner = Preconditioner::none;
  /// Of conjugate gradients, which find out between which numbers the eigenvalues lie, before a Chebyshev
  /// iteration or a polynomial can begin. Once for each solver: later solutions begin with what is known.
  int first_iterations = 30;
  int inner_steps = 10;  ///< of the polynomial, in each iteration
  /// Of s-step conjugate gradients: iterations for each exchange and each sum, no more than the operator's
  /// depth.
  int block_steps = 4;
  /// Of multigrid: steps of smoothing on each level before and after the correction by coarser ones. An
  /// operator needs a depth for them: multigrid_depth.
  int smoothing_steps = 2;
  /// Of pipelined and s-step conjugate gradients: iterations from one residual that is computed anew, as b -
  /// A x, to the next.
  int replace_interval = 50;
  int check_interval = 10;  ///< steps of a Chebyshev iteration from one look at the residual to the next
  /// Of Gmres: iterations before it begins anew with the residual, which need a field each. Fewer may need
  /// more iterations in all, or never get anywhere.
  int restart = 30;
  HaloExchangeConfig halo = {};  ///< how ghost cells are exchanged
  std::shared_ptr<memory::MemoryResource> fields =
      nullptr;  ///< of the solver's own fields; null: the device's
};

/// Why a solver has stopped.
enum class StopReason {
  converged,
  iterations,  ///< SolverConfig::max_iterations were made
  /// p'Ap <= 0 for a direction p, or a diagonal that is not positive (of BiCGStab and Gmres: is 0 somewhere):
  /// no method of conjugate gradients fits this operator, or none that is scaled by the diagonal
  indefinite,
  /// Of pipelined and s-step conjugate gradients and Gmres, which look at b - A x now and then: it falls no
  /// further, since it is made of what rounding leaves of b and A x. A tolerance that is not below that is
  /// reached. Or a whole cycle of Gmres has found nothing better: more iterations before a restart may help.
  stagnated,
  /// Of BiCGStab: a product by which a step is divided has vanished; another start may help. Of Gmres: the
  /// operator is singular, and makes nothing new of the residual
  breakdown,
  /// Constants are in the kernel of the operator, as between sides without flux and no other term, and the
  /// right side does not add up to 0 with them: there is no solution to the tolerance.
  singular,
  not_a_number,  ///< of the operator, the right side or the start, some value is not finite
};
constexpr auto names_of(StopReason) {
  return name_table<StopReason>("stop reason", {{StopReason::converged, "converged"},
                                                {StopReason::iterations, "iterations"},
                                                {StopReason::indefinite, "indefinite"},
                                                {StopReason::stagnated, "stagnated"},
                                                {StopReason::breakdown, "breakdown"},
                                                {StopReason::singular, "singular"},
                                                {StopReason::not_a_number, "not a number"}});
}

/// What a solver has found.
struct Solution {
  StopReason reason = StopReason::iterations;
  int iterations = 0;
  double residual = 0;  ///< ||b - A x|| of the last x, computed anew
  /// ||r|| before each iteration and after the last one, by the recurrence, or of Gmres by its least-squares
  /// problem. The same bits on every number of ranks, rank grid, transport, number of threads and backend.
  std::vector<double> history;

  bool converged() const { return reason == StopReason::converged; }
};

}  // namespace haloheap::comm

#endif
