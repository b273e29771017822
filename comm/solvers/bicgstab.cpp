// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/bicgstab.hpp>

#include <cmath>
#include <utility>

namespace haloheap::comm {

using namespace detail;

namespace {

bool usable(double one, double other) {
  return std::isfinite(one) && std::isfinite(other);
}

}  // namespace

template <class T>
BiCGStab<T>::BiCGStab(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
                      const FieldData<T>& x, CustomPreconditionerPtr<T> own)
    : system_(SolverMethod::bicgstab, matrix, config, b, x, own != nullptr),
      shadow_(system_.field("haloheap::comm::shadow_residual")),
      p_(system_.field("haloheap::comm::direction")),
      v_(system_.field("haloheap::comm::applied")),
      t_(system_.field("haloheap::comm::applied_to_residual")),
      own_(std::move(own)),
      own_p_(own_ ? std::optional(system_.field("haloheap::comm::own_direction")) : std::nullopt),
      own_r_(own_ ? std::optional(system_.field("haloheap::comm::own_residual")) : std::nullopt),
      exchange_(system_, own_ ? FieldPair<T>(*own_p_, *own_r_) : FieldPair<T>(p_, system_.residual_field())) {
  if (config.preconditioner == Preconditioner::jacobi) scaling_.emplace(system_);
}

template <class T>
auto BiCGStab<T>::apply(const Exec& exec, Set set, const T* a, T* w, const Pair& guess) -> Pair {
  T* p = set == direction ? p_.data() : system_.r();
  if (own_) {
    T* const made = (set == direction ? own_p_ : own_r_)->data();
    own_->apply(exec, p, made);
    p = made;
  }
  exchange_.exchange(exec, set);
  system_.kernels().impose_on_direction(exec, p);
  system_.kernels().apply_scaled(exec, p, scaling(), a, w, system_.near({guess.first, guess.second}));
  const auto sums = system_.sums(exec, ProductAndSquare<T>{a, w, w});
  exchange_.check();
  return {sums[0], sums[1]};
}

template <class T>
double BiCGStab<T>::subtract(const Exec& exec, T alpha, double guess) {
  for_own_cells(exec, "haloheap::comm::subtract", system_.layout(),
                SubtractMultiple<T>{system_.r(), v_.data(), alpha}, system_.near({guess, 0}));
  return system_.sums(exec, Product<T>{system_.r(), system_.r()})[0];
}

template <class T>
template <class OfDirection, class OfResidual>
void BiCGStab<T>::update_solution(const Exec& exec, T alpha, T omega, const Pair& guess,
                                  const OfDirection& of_p, const OfResidual& of_r) {
  for_own_cells(exec, "haloheap::comm::update_solution", system_.layout(),
                UpdateBiSolution<T, OfDirection, OfResidual>{system_.x(), system_.r(), p_.data(), t_.data(),
                                                             shadow_.data(), of_p, of_r, alpha, omega},
                system_.near({guess.second, guess.first}));
}

template <class T>
auto BiCGStab<T>::update(const Exec& exec, T alpha, T omega, const Pair& guess) -> Pair {
  if (own_)
    update_solution(exec, alpha, omega, guess, InOtherField<T>{own_p_->data()},
                    InOtherField<T>{own_r_->data()});
  else
    with_scaling(scaling(), [&](const auto& by) { update_solution(exec, alpha, omega, guess, by, by); });
  const T* const r = system_.r();
  const auto sums = system_.sums(exec, ProductAndSquare<T>{shadow_.data(), r, r});
  return {sums[1], sums[0]};
}

template <class T>
Solution BiCGStab<T>::solve(const Exec& exec) {
  Solution solution;
  const auto ended = [&](StopReason reason) { return system_.ended(exec, solution, reason, t_.data()); };
  if (scaling_)
    if (const auto wrong = scaling_->prepare(exec, system_, false)) return ended(*wrong);
  if (own_) {
    own_->prepare(exec);
    set_all(exec, own_p_->data(), system_.layout(), T{0});
    set_all(exec, own_r_->data(), system_.layout(), T{0});
  }
  system_.subtract(exec, system_.r());
  backend::copy_async(exec, shadow_.data(), system_.r(), shadow_.size() * sizeof(T));
  set_all(exec, p_.data(), system_.layout(), T{0});
  set_all(exec, v_.data(), system_.layout(), T{0});
  const double first = system_.exact(exec, Product<T>{system_.r(), system_.r()})[0];
  solution.history.push_back(std::sqrt(first));
  if (!std::isfinite(first)) return ended(StopReason::not_a_number);
  const double goal = system_.config().tolerance * solution.history.front();
  Pair now{first, first}, of_v{0, 0}, of_t{0, 0};  // r'r and shadow'r; what was applied
  double beta = 0, omega = 0;
  while (solution.history.back() > goal) {
    if (solution.iterations == system_.config().max_iterations) return ended(StopReason::iterations);
    if (now.second == 0) return ended(StopReason::breakdown);
    for_own_cells(
        exec, "haloheap::comm::next_direction", system_.layout(),
        NextBiDirection<T>{system_.r(), v_.data(), p_.data(), static_cast<T>(beta), static_cast<T>(omega)});
    of_v = apply(exec, direction, shadow_.data(), v_.data(), of_v);
    if (!usable(of_v.first, of_v.second)) return ended(StopReason::not_a_number);
    if (of_v.first == 0) return ended(StopReason::breakdown);
    const double alpha = now.second / of_v.first;
    const double halfway = subtract(exec, static_cast<T>(alpha), now.first);
    if (!std::isfinite(halfway)) return ended(StopReason::not_a_number);
    of_t = apply(exec, residual, system_.r(), t_.data(), of_t);
    if (!usable(of_t.first, of_t.second)) return ended(StopReason::not_a_number);
    // A residual of 0 half-way is a solution.
    omega = of_t.second == 0 ? 0 : of_t.first / of_t.second;
    const Pair next = update(exec, static_cast<T>(alpha), static_cast<T>(omega), {halfway, now.second});
    ++solution.iterations;
    solution.history.push_back(std::sqrt(next.first));
    if (!usable(next.first, next.second)) return ended(StopReason::not_a_number);
    if (solution.history.back() > goal && omega == 0) return ended(StopReason::breakdown);
    beta = omega == 0 ? 0 : next.second / now.second * (alpha / omega);
    now = next;
  }
  return ended(StopReason::converged);
}

template class BiCGStab<float>;
template class BiCGStab<double>;

}  // namespace haloheap::comm
