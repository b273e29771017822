// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/chebyshev.hpp>

#include <algorithm>
#include <cmath>

namespace haloheap::comm {
namespace {

/// By what a residual may be larger than it should be before a mode below the bounds is looked for.
constexpr double slower = 4;

SolverConfig for_first_iterations(SolverConfig config) {
  config.max_iterations = std::min(config.max_iterations, config.first_iterations);
  config.preconditioner = Preconditioner::none;
  return config;
}

}  // namespace

template <class T>
Chebyshev<T>::Chebyshev(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
                        const FieldData<T>& x)
    : system_(SolverMethod::chebyshev, matrix, config, b, x),
      first_(matrix, for_first_iterations(config), b, x),
      steps_(system_),
      good_(system_.field("haloheap::comm::last_solution")) {}

template <class T>
Solution Chebyshev<T>::solve(const Exec& exec) {
  Solution solution;
  const auto copy = [&](T* to, const T* from) {
    backend::copy_async(exec, to, from, good_.size() * sizeof(T));
  };
  const auto ended = [&](StopReason reason) { return system_.ended(exec, solution, reason, system_.r()); };
  if (!spectrum_) {
    solution = first_.solve(exec);
    spectrum_ = first_.spectrum();
    if (solution.reason != StopReason::iterations || !spectrum_) return solution;
  }
  double norm = 0, first = 0;  // at the last look that was good, and when the steps began
  int since = 0;               // steps
  const auto start = [&] {
    system_.subtract(exec, system_.r());
    norm = first = system_.norm(exec, system_.r());
    since = 0;
    steps_.start(exec, *spectrum_, system_.r());
    copy(good_.data(), system_.x());
  };
  start();
  if (solution.history.empty()) solution.history.push_back(norm);
  if (!std::isfinite(norm)) return ended(StopReason::not_a_number);
  const double goal = system_.config().tolerance * solution.history.front();
  while (norm > goal) {
    const int left = system_.config().max_iterations - solution.iterations;
    if (left <= 0) return ended(StopReason::iterations);
    const int steps = std::min(left, system_.config().check_interval);
    for (int i = 0; i < steps; ++i) steps_.step(exec, system_.x(), false);
    solution.iterations += steps;
    since += steps;
    const double now = system_.norm(exec, steps_.residual(), norm);
    steps_.check();
    solution.history.push_back(now);
    if (!(now <= first)) {  // a mode above the bounds, which alone can grow
      *spectrum_ = raised(*spectrum_, steps_.quotient(exec));
      if (!std::isfinite(spectrum_->max)) return ended(StopReason::not_a_number);
      copy(system_.x(), good_.data());
      start();
      continue;
    }
    if (now <= norm) {
      norm = now;
      copy(good_.data(), system_.x());
    }
    if (now > goal && now > slower * first * chebyshev_reduction(*spectrum_, since)) {
      const double lower = lowered(*spectrum_, steps_.quotient(exec)).min;
      if (lower == spectrum_->min) continue;  // what is left of other modes hides it
      spectrum_->min = lower;
      start();
    }
  }
  return ended(StopReason::converged);
}

template class Chebyshev<float>;
template class Chebyshev<double>;

}  // namespace haloheap::comm
