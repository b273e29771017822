// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/pipelined_conjugate_gradient.hpp>

#include <cmath>
#include <utility>

namespace haloheap::comm {

using namespace detail;

namespace {

/// By what a residual that has grown is beyond hope.
constexpr double wild = 1e3;

}  // namespace

template <class T>
bool PipelinedConjugateGradient<T>::Products::finite() const {
  return std::isfinite(rz) && std::isfinite(wz) && std::isfinite(rr);
}

template <class T>
void PipelinedConjugateGradient<T>::Recurrence::begin(double rz) {
  beta = last_rz == 0 ? 0 : rz / last_rz;
}

template <class T>
double PipelinedConjugateGradient<T>::Recurrence::curvature(const Products& now) const {
  return beta == 0 ? now.wz : now.wz - beta * now.rz / alpha;
}

template <class T>
void PipelinedConjugateGradient<T>::Recurrence::end(const Products& now, double found) {
  alpha = now.rz / found;
  last_rz = now.rz;
}

template <class T>
PipelinedConjugateGradient<T>::PipelinedConjugateGradient(const LinearOperator<T>& matrix,
                                                          const SolverConfig& config, const FieldData<T>& b,
                                                          const FieldData<T>& x)
    : system_(SolverMethod::pipelined_cg, matrix, config, b, x),
      w_(system_.field("haloheap::comm::applied")),
      p_(system_.field("haloheap::comm::direction")),
      s_(system_.field("haloheap::comm::applied_to_direction")),
      z_(system_.field("haloheap::comm::applied_twice")),
      n_(system_.field("haloheap::comm::next_applied")),
      good_(system_.field("haloheap::comm::last_solution")),
      exchange_(system_, FieldPair<T>(w_, s_)),
      direction_exchange_(system_, FieldPair<T>(p_, p_)) {
  if (config.preconditioner == Preconditioner::jacobi) scaling_.emplace(system_);
}

/// n = A M w.
template <class T>
void PipelinedConjugateGradient<T>::apply_to_applied(const Exec& exec) {
  exchange_.exchange(exec, applied_set);
  system_.kernels().impose_on_direction(exec, w_.data());
  system_.kernels().apply(exec, w_.data(), scaling(), n_.data());
}

template <class T>
void PipelinedConjugateGradient<T>::replace_residual(const Exec& exec) {
  system_.subtract(exec, system_.r());
  system_.exchange_residual(exec);
  system_.kernels().impose_on_direction(exec, system_.r());
  system_.kernels().apply(exec, system_.r(), scaling(), w_.data());
}

template <class T>
void PipelinedConjugateGradient<T>::replace_directions(const Exec& exec) {
  direction_exchange_.exchange(exec, 0);
  system_.kernels().impose_on_direction(exec, p_.data());
  system_.kernels().apply(exec, p_.data(), nullptr, s_.data());
  exchange_.exchange(exec, chained_set);
  system_.kernels().impose_on_direction(exec, s_.data());
  system_.kernels().apply(exec, s_.data(), scaling(), z_.data());
}

/// Of residual and w. @param add gives the sums of what a body multiplies
template <class T>
template <class Add>
auto PipelinedConjugateGradient<T>::products_by(const Add& add) -> Products {
  Products found{};
  with_scaling(scaling(), [&](const auto& by) {
    const PipelinedProducts<T, std::decay_t<decltype(by)>> body{system_.r(), w_.data(), by};
    const auto sums = add(body);
    found = {sums[0], sums[1], sums[body.dots == 2 ? 0 : 2]};
  });
  return found;
}

/// As they are.
template <class T>
auto PipelinedConjugateGradient<T>::products(const Exec& exec) -> Products {
  return products_by([&](const auto& body) { return system_.exact(exec, body); });
}

/// Of those that the last step has begun to add up.
template <class T>
auto PipelinedConjugateGradient<T>::finish(const Exec& exec) -> Products {
  return products_by([&](const auto& body) { return system_.finish_sums(exec, body); });
}

template <class T>
void PipelinedConjugateGradient<T>::step(const Exec& exec, const Recurrence& numbers, const Products& last) {
  with_scaling(scaling(), [&](const auto& by) {
    for_own_cells(exec, "haloheap::comm::pipelined_step", system_.layout(),
                  PipelinedStep<T, std::decay_t<decltype(by)>>{
                      system_.x(), system_.r(), w_.data(), p_.data(), s_.data(), z_.data(), n_.data(), by,
                      static_cast<T>(numbers.alpha), static_cast<T>(numbers.beta)},
                  system_.near({last.rz, last.wz, last.rr}));
  });
  system_.begin_sums(exec);
}

/// Residual, directions and what the operator makes of them, from solution and direction alone.
template <class T>
auto PipelinedConjugateGradient<T>::replace(const Exec& exec) -> Products {
  replace_residual(exec);
  replace_directions(exec);
  const Products found = products(exec);
  apply_to_applied(exec);
  return found;
}

/// The product itself, where what follows from others says that the operator is indefinite.
template <class T>
double PipelinedConjugateGradient<T>::curvature_of_direction(const Exec& exec, double beta) {
  double found = 0;
  with_scaling(scaling(), [&](const auto& by) {
    found =
        system_.exact(exec, DirectionProduct<T, std::decay_t<decltype(by)>>{
                                system_.r(), w_.data(), p_.data(), s_.data(), by, static_cast<T>(beta)})[0];
  });
  return found;
}

/// Remembers x, whose residual has this norm.
template <class T>
void PipelinedConjugateGradient<T>::keep(const Exec& exec, double norm) {
  best_ = norm;
  given_up_ = false;
  backend::copy_async(exec, good_.data(), system_.x(), good_.size() * sizeof(T));
}

/// Computes everything anew, and judges what the recurrences have told.
template <class T>
auto PipelinedConjugateGradient<T>::renew(const Exec& exec, double believed, double goal, Products& now)
    -> Verdict {
  now = replace(exec);
  const double norm = std::sqrt(now.rr);
  if (norm <= goal) return Verdict::converged;
  const bool drifted = !(norm <= residual_drift * believed), lost = !(norm <= wild * best_);
  if (norm < best_ && (!drifted || norm <= best_ / residual_drift)) {
    keep(exec, norm);
    return drifted ? Verdict::restart : Verdict::go_on;
  }
  if (!drifted && !lost) return Verdict::go_on;
  if (!(norm < best_)) backend::copy_async(exec, system_.x(), good_.data(), good_.size() * sizeof(T));
  if (!lost || std::exchange(given_up_, true)) return Verdict::stagnated;
  now = replace(exec);
  return Verdict::restart;
}

template <class T>
Solution PipelinedConjugateGradient<T>::solve(const Exec& exec) {
  Solution solution;
  const auto ended = [&](StopReason reason) { return system_.ended(exec, solution, reason, n_.data()); };
  if (scaling_)
    if (const auto wrong = scaling_->prepare(exec, system_, true)) return ended(*wrong);
  for (const memory::Array<T>* field : {&p_, &s_, &z_}) set_all(exec, field->data(), system_.layout(), T{0});
  replace_residual(exec);
  Products now = products(exec);
  apply_to_applied(exec);
  solution.history.push_back(std::sqrt(now.rr));
  if (!now.finite()) return ended(StopReason::not_a_number);
  const double goal = system_.config().tolerance * solution.history.front();
  if (solution.history.back() <= goal) return ended(StopReason::converged);
  keep(exec, solution.history.back());
  Recurrence next;
  for (int since = 0;; ++since) {  // iterations since everything was computed anew
    double& norm = solution.history.back();
    if (solution.iterations == system_.config().max_iterations) return ended(StopReason::iterations);
    next.begin(now.rz);
    const bool doubtful = !(next.curvature(now) > 0) || !(norm > goal) || !(norm <= wild * best_);
    if (since == system_.config().replace_interval || (since > 0 && doubtful)) {
      const Verdict verdict = renew(exec, norm, goal, now);
      norm = std::sqrt(now.rr);
      if (verdict == Verdict::converged) return ended(StopReason::converged);
      if (verdict == Verdict::stagnated) return ended(StopReason::stagnated);
      if (verdict == Verdict::restart) next = {};
      since = 0;
    }
    double curvature = next.curvature(now);
    if (!(curvature > 0)) curvature = curvature_of_direction(exec, next.beta);
    if (std::isnan(curvature)) return ended(StopReason::not_a_number);
    if (!(curvature > 0)) return ended(StopReason::indefinite);
    next.end(now, curvature);
    step(exec, next, now);
    apply_to_applied(exec);
    now = finish(exec);
    ++solution.iterations;
    solution.history.push_back(std::sqrt(now.rr));
    exchange_.check();
    direction_exchange_.check();
  }
}

template class PipelinedConjugateGradient<float>;
template class PipelinedConjugateGradient<double>;

}  // namespace haloheap::comm
