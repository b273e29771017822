// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/bicgstab.hpp>
#include <haloheap/comm/solvers/chebyshev.hpp>
#include <haloheap/comm/solvers/gmres.hpp>
#include <haloheap/comm/solvers/multigrid.hpp>
#include <haloheap/comm/solvers/pipelined_conjugate_gradient.hpp>
#include <haloheap/comm/solvers/s_step_conjugate_gradient.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/solvers/any_solver.hpp>
#include <haloheap/miniapp/problems/solvers/assembled_parts.hpp>

#include <memory>

namespace haloheap {
namespace {

template <class Solver>
std::optional<double> condition_of(const Solver& solver) {
  if constexpr (requires { solver.condition(); })
    return solver.condition();
  else
    return std::nullopt;
}

template <class Solver>
std::optional<int> block_steps_of(const Solver& solver) {
  if constexpr (requires { solver.block_steps(); })
    return solver.block_steps();
  else
    return std::nullopt;
}

template <class Solver>
AnySolver any_solver(const std::shared_ptr<Solver>& solver) {
  return {[solver](const backend::Exec& exec) { return solver->solve(exec); },
          [solver] { return solver->mix(); }, [solver] { return condition_of(*solver); },
          [solver] { return block_steps_of(*solver); }};
}

template <class Solver, class T, class... More>
AnySolver solver_of(const SolverSettings& settings, const comm::LinearOperator<T>& matrix,
                    const comm::FieldData<T>& b, const comm::FieldData<T>& x, const More&... more) {
  return any_solver(std::make_shared<Solver>(matrix, settings.config, b, x, more...));
}

/// One of the methods that work with parts of Kokkos-Kernels.
template <class Solver, class T>
AnySolver maybe_assembled(const SolverSettings& settings, const comm::LinearOperator<T>& matrix,
                          const comm::FieldData<T>& b, const comm::FieldData<T>& x) {
  comm::CustomPreconditionerPtr<T> own;
  if (needs_assembled(settings.preconditioner))
    own = make_assembled_preconditioner(settings.preconditioner, matrix);
  if (settings.form == OperatorForm::matrix_free) return solver_of<Solver>(settings, matrix, b, x, own);
  struct Both {  // the solver refers to the operator
    Both(const SolverSettings& settings, const comm::LinearOperator<T>& matrix, const comm::FieldData<T>& b,
         const comm::FieldData<T>& x, const comm::CustomPreconditionerPtr<T>& own)
        : products(make_assembled_operator(matrix)), solver(products, settings.config, b, x, own) {}
    comm::LinearOperator<T> products;
    Solver solver;
  };
  const auto both = std::make_shared<Both>(settings, matrix, b, x, own);
  return any_solver(std::shared_ptr<Solver>(both, &both->solver));
}

}  // namespace

template <class T>
AnySolver make_solver(const SolverSettings& settings, const comm::LinearOperator<T>& matrix,
                      const comm::FieldData<T>& b, const comm::FieldData<T>& x) {
  switch (settings.method) {
    case comm::SolverMethod::cg:
      return maybe_assembled<comm::ConjugateGradient<T>>(settings, matrix, b, x);
    case comm::SolverMethod::pipelined_cg:
      return solver_of<comm::PipelinedConjugateGradient<T>>(settings, matrix, b, x);
    case comm::SolverMethod::s_step_cg:
      return solver_of<comm::SStepConjugateGradient<T>>(settings, matrix, b, x);
    case comm::SolverMethod::chebyshev:
      return solver_of<comm::Chebyshev<T>>(settings, matrix, b, x);
    case comm::SolverMethod::bicgstab:
      return maybe_assembled<comm::BiCGStab<T>>(settings, matrix, b, x);
    case comm::SolverMethod::gmres:
      return maybe_assembled<comm::Gmres<T>>(settings, matrix, b, x);
    case comm::SolverMethod::multigrid:
      return solver_of<comm::Multigrid<T>>(settings, matrix, b, x);
  }
  throw InternalError("a solver of a method that there is not");
}

template AnySolver make_solver(const SolverSettings&, const comm::LinearOperator<float>&,
                               const comm::FieldData<float>&, const comm::FieldData<float>&);
template AnySolver make_solver(const SolverSettings&, const comm::LinearOperator<double>&,
                               const comm::FieldData<double>&, const comm::FieldData<double>&);

}  // namespace haloheap
