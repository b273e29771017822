// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/chebyshev.hpp>

#include <algorithm>
#include <cmath>

namespace haloheap::comm {
namespace {

SolverConfig for_first_iterations(SolverConfig config) {
  config.max_iterations = std::min(config.max_iterations, config.first_iterations);
  config.preconditioner = Preconditioner::none;
  return config;
}

}  // namespace

template <class T>
Chebyshev<T>::Chebyshev(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
                        const FieldData<T>& x)
    : system_("Chebyshev", matrix, config, b, x),
      first_(matrix, for_first_iterations(config), b, x),
      steps_(matrix, system_.plan(), system_.exchange_config(), system_.memory()) {}

/// Makes first iterations from the x that there is, and widens the bounds to what they tell.
template <class T>
StopReason Chebyshev<T>::learn(const Exec& exec, Solution& solution) {
  first_.forget_spectrum();
  const Solution found = first_.solve(exec);
  solution.iterations += found.iterations;
  const auto begin = found.history.begin() + (solution.history.empty() ? 0 : 1);
  solution.history.insert(solution.history.end(), begin, found.history.end());
  if (const auto seen = first_.spectrum()) {
    const auto known = spectrum_.value_or(*seen);
    spectrum_ = {std::min(known.min, seen->min), std::max(known.max, seen->max)};
  }
  return found.reason;
}

template <class T>
Solution Chebyshev<T>::solve(const Exec& exec) {
  Solution solution;
  const auto ended = [&](StopReason reason) {
    solution.reason = reason;
    system_.subtract(exec, system_.r());
    solution.residual = system_.norm(exec, system_.r());
    system_.check();
    return solution;
  };
  double norm = 0, goal = 0;
  bool grown = false;
  const auto start = [&] {
    system_.subtract(exec, system_.r());
    norm = system_.norm(exec, system_.r());
    if (solution.history.empty()) solution.history.push_back(norm);
    goal = system_.config().tolerance * solution.history.front();
    steps_.start(exec, *spectrum_, system_.r());
  };
  if (!spectrum_) {
    const StopReason reason = learn(exec, solution);
    if (reason != StopReason::iterations || !spectrum_) return ended(reason);
  }
  start();
  while (norm > goal || !std::isfinite(norm)) {
    if (!std::isfinite(norm)) return ended(StopReason::not_a_number);
    const int left = system_.config().max_iterations - solution.iterations;
    if (left <= 0) return ended(StopReason::iterations);
    const int steps = std::min(left, system_.config().check_interval);
    for (int i = 0; i < steps; ++i) steps_.step(exec, system_.x(), false);
    solution.iterations += steps;
    const double before = norm;
    norm = system_.norm(exec, steps_.residual());
    steps_.check();
    solution.history.push_back(norm);
    if (norm <= goal && grown) {  // x was rounded while it was large, which no residual of steps knows
      grown = false;
      start();
      continue;
    }
    if (!(norm > before)) continue;
    grown = true;
    const StopReason reason = learn(exec, solution);
    if (reason == StopReason::indefinite || reason == StopReason::not_a_number) return ended(reason);
    start();
  }
  return ended(StopReason::converged);
}

template class Chebyshev<float>;
template class Chebyshev<double>;

}  // namespace haloheap::comm
