// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/multigrid.hpp>

#include <cmath>

namespace haloheap::comm {

namespace detail {

/// x += z.
template <class T>
struct AddField {
  static constexpr int dots = 0;
  const T* z;
  T* x;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& /*cell*/, grid::Index at) const {
    x[at] += z[at];
  }
};

}  // namespace detail

template <class T>
Multigrid<T>::Multigrid(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
                        const FieldData<T>& x)
    : system_(SolverMethod::multigrid, matrix, config, b, x),
      z_(system_.field("haloheap::comm::correction")),
      cycle_(system_, system_.residual_field(), z_) {}

template <class T>
Solution Multigrid<T>::solve(const Exec& exec) {
  // Rounding keeps a residual from falling that is no tenth smaller after so many cycles.
  constexpr double smaller = 0.9;
  constexpr int patience = 8;
  Solution solution;
  const auto ended = [&](StopReason reason) { return system_.ended(exec, solution, reason, system_.r()); };
  if (const auto wrong = cycle_.prepare(exec)) return ended(*wrong);
  system_.subtract(exec, system_.r());
  solution.history.push_back(system_.norm(exec, system_.r()));
  if (!std::isfinite(solution.history.back())) return ended(StopReason::not_a_number);
  const double goal = system_.config().tolerance * solution.history.front();
  double best = solution.history.front();
  int since = 0;
  while (solution.history.back() > goal) {
    if (solution.iterations == system_.config().max_iterations) return ended(StopReason::iterations);
    cycle_.apply(exec);
    detail::for_own_cells(exec, "haloheap::comm::add_correction", system_.layout(),
                          detail::AddField<T>{z_.data(), system_.x()});
    system_.subtract(exec, system_.r());
    const double before = solution.history.back(), now = system_.norm(exec, system_.r(), before);
    cycle_.check();
    system_.check();
    ++solution.iterations;
    solution.history.push_back(now);
    if (!std::isfinite(now)) return ended(StopReason::not_a_number);
    ++since;
    if (now <= smaller * best) {
      best = now;
      since = 0;
    }
    if (since == patience && now > goal) return ended(StopReason::stagnated);
  }
  return ended(StopReason::converged);
}

template class Multigrid<float>;
template class Multigrid<double>;

}  // namespace haloheap::comm
