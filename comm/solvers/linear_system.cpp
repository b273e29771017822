// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/halo/plain_exchanges.hpp>
#include <haloheap/comm/solvers/linear_system.hpp>
#include <haloheap/comm/solvers/solver_problem.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/kernel_access.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace haloheap::comm::detail {

/// Adds the values of a field.
template <class T>
struct SumOfValues {
  static constexpr int dots = 1;
  const T* values;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 1> operator()(const grid::Triple& /*cell*/,
                                                                    grid::Index at) const {
    return {{static_cast<double>(values[at])}};
  }
};

namespace {

void require_solver(SolverMethod method, const SolverConfig& config, bool with_own) {
  require_none(solver_problem(method, config));
  if (with_own && config.preconditioner != Preconditioner::none)
    throw UsageError(
        fmt::format("a solver with a CustomPreconditioner is to have preconditioner '{}' as well",
                    name_of(config.preconditioner)),
        "a residual is multiplied by one of them", "use Preconditioner::none, or give no other");
  if (!(config.tolerance >= 0 && std::isfinite(config.tolerance)))
    throw UsageError(fmt::format("the tolerance of a solver is {}", config.tolerance),
                     "no residual would be small enough", "use 0 or more, for example 1e-8");
  if (config.max_iterations < 0)
    throw UsageError(fmt::format("a solver is to make {} iterations at most", config.max_iterations), "",
                     "use 0 or more");
  const auto require_positive = [](const char* name, int value) {
    if (value < 1)
      throw UsageError(fmt::format("{} of a solver is {}", name, value),
                       "it would never begin, or never look", "use 1 or more");
  };
  require_positive("first_iterations", config.first_iterations);
  require_positive("inner_steps", config.inner_steps);
  require_positive("replace_interval", config.replace_interval);
  require_positive("block_steps", config.block_steps);
  require_positive("check_interval", config.check_interval);
  require_positive("smoothing_steps", config.smoothing_steps);
  require_positive("restart", config.restart);
  if (config.fields) memory::require_kernel_access(*config.fields);
}

SolverConfig with_plain_exchanges(SolverConfig config) {
  config.halo = plain_exchanges(config.halo);
  return config;
}

/// Made when it is known that what the ranks were given fits.
template <class T>
HaloPlan agreed_plan(SolverMethod method, const LinearOperator<T>& matrix, const SolverConfig& config,
                     const FieldData<T>& b, const FieldData<T>& x, bool with_own) {
  HaloPlan plan;
  agree_on(matrix.communicator(), fmt::format("solver {}", name_of(method)),
           set_up_timeout(config.halo.timeout), [&] {
             require_solver(method, config, with_own);
             b.require(matrix.layout(), "b");
             x.require(matrix.layout(), "x");
             if (b.start == x.start)
               throw UsageError("the fields 'b' and 'x' are the same memory",
                                "the right side would be overwritten by the solution", "give two fields");
             plan = HaloPlan::make(matrix.grid().topology, matrix.layout(), matrix.grid().cells,
                                   Exchange::sync, MessagesPer::neighbour);
             return Terms{{{"tolerance", fmt::format("{}", config.tolerance)},
                           {"max_iterations", std::to_string(config.max_iterations)},
                           {"preconditioner", with_own ? "of its own" : name_of(config.preconditioner)},
                           {"first_iterations", std::to_string(config.first_iterations)},
                           {"inner_steps", std::to_string(config.inner_steps)},
                           {"block_steps", std::to_string(config.block_steps)},
                           {"replace_interval", std::to_string(config.replace_interval)},
                           {"check_interval", std::to_string(config.check_interval)},
                           {"smoothing_steps", std::to_string(config.smoothing_steps)},
                           {"restart", std::to_string(config.restart)}},
                          {}};
           });
  return plan;
}

}  // namespace

template <class T>
LinearSystem<T>::LinearSystem(SolverMethod method, const LinearOperator<T>& matrix,
                              const SolverConfig& config, const FieldData<T>& b, const FieldData<T>& x,
                              bool with_own)
    : matrix_(matrix),
      config_(with_plain_exchanges(config)),
      plan_(agreed_plan(method, matrix, config, b, x, with_own)),
      b_(static_cast<T*>(b.start)),
      x_(static_cast<T*>(x.start)),
      memory_(config.fields ? config.fields : memory::make_memory_resource("device")),
      r_(field("haloheap::comm::residual")),
      exchange_(matrix.communicator(), plan_, matrix.grid().topology,
                ExchangedFields::of(matrix.layout(), FieldPair<T>(r_, x)), config_.halo, timer_),
      dots_(matrix.communicator(), memory_, product(matrix.grid().cells)) {}

template <class T>
void LinearSystem<T>::subtract(const Exec& exec, T* to) {
  exchange_.exchange(exec, solution_set);
  kernels().impose(exec, x_);
  kernels().residual(exec, b_, x_, to, layout().own_box());
}

/// Whether A 1 = 0 and 1'A = 0, as far as rounding tells, and so much of the right side is along 1, which no
/// x changes, that no residual is `goal`. Of the transpose what it makes of the right side is looked at.
/// Changes the residual.
template <class T>
bool LinearSystem<T>::has_no_solution(const Exec& exec, double goal) {
  const double rounding = 64 * static_cast<double>(std::numeric_limits<T>::epsilon());
  const double along = std::sqrt(static_cast<double>(product(matrix_.grid().cells)));
  const auto sum = [&](const T* values) { return std::abs(exact(exec, SumOfValues<T>{values})[0]); };
  const double right = norm(exec, b_);
  if (!(sum(b_) > along * std::max(goal, rounding * right))) return false;
  const memory::Array<T> made = field("haloheap::comm::made");
  const auto apply = [&] {
    kernels().impose_on_direction(exec, r());
    kernels().apply(exec, r(), nullptr, made.data());
    return norm(exec, made.data());
  };
  kernels().diagonal(exec, made.data(), false);
  const double diagonal = norm(exec, made.data());
  set_all(exec, r(), layout(), T{1});
  if (!(apply() <= rounding * diagonal)) return false;
  backend::copy_async(exec, r(), b_, r_.size() * sizeof(T));
  exchange_residual(exec);
  const double size = apply();
  return sum(made.data()) <= rounding * along * std::max(size, right * diagonal / along);
}

template <class T>
Solution LinearSystem<T>::ended(const Exec& exec, Solution solution, StopReason reason, T* lent) {
  subtract(exec, lent);
  solution.reason = reason;
  solution.residual = norm(exec, lent);
  if (solution.history.empty()) solution.history.push_back(solution.residual);
  const bool in_vain = reason != StopReason::converged && reason != StopReason::not_a_number;
  if (in_vain && has_no_solution(exec, config_.tolerance * solution.history.front()))
    solution.reason = StopReason::singular;
  check();
  return solution;
}

template class LinearSystem<float>;
template class LinearSystem<double>;

}  // namespace haloheap::comm::detail
