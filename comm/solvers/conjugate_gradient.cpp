// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/conjugate_gradient.hpp>

#include <cmath>
#include <utility>

namespace haloheap::comm {

using namespace detail;

namespace {

bool finite(double one, double other) {
  return std::isfinite(one) && std::isfinite(other);
}

}  // namespace

template <class T>
ConjugateGradient<T>::ConjugateGradient(const LinearOperator<T>& matrix, const SolverConfig& config,
                                        const FieldData<T>& b, const FieldData<T>& x,
                                        CustomPreconditionerPtr<T> own)
    : system_(SolverMethod::cg, matrix, config, b, x, own != nullptr),
      p_(system_.field("haloheap::comm::direction")),
      q_(system_.field("haloheap::comm::next_direction")),
      w_(system_.field("haloheap::comm::applied")),
      own_(std::move(own)) {
  if (config.preconditioner == Preconditioner::jacobi) scaling_.emplace(system_);
  if (scaling_ || (config.preconditioner == Preconditioner::none && !own_)) return;
  z_.emplace(system_.field("haloheap::comm::preconditioned"));
  z_exchange_.emplace(system_, FieldPair<T>(*z_, *z_));
  if (config.preconditioner == Preconditioner::polynomial) inner_.emplace(system_);
  if (config.preconditioner == Preconditioner::multigrid)
    cycle_ = std::make_unique<VCycle<T>>(system_, system_.residual_field(), *z_);
}

template <class T>
auto ConjugateGradient<T>::source() const -> Source {
  if (scaling_) return Source::scaled;
  if (cycle_) return Source::cycle;
  if (own_) return Source::own;
  return z_ && spectrum_ ? Source::polynomial : Source::residual;
}

/// r'r and r'z of the residual as it is.
template <class T>
auto ConjugateGradient<T>::products(const Exec& exec) -> Products {
  Products found{};
  with_scaling(scaling(), [&](const auto& by) {
    const ResidualProducts<T, std::decay_t<decltype(by)>> body{system_.r(), by};
    const auto sums = system_.exact(exec, body);
    found = {sums[0], sums[body.dots - 1]};
  });
  return with_field(exec, found, 0);
}

/// The same with r'z where z is in memory, and has to be made first. @param guess a magnitude of it
template <class T>
auto ConjugateGradient<T>::with_field(const Exec& exec, const Products& found, double guess) -> Products {
  if (source() == Source::polynomial) return polynomial(exec, found.rr, guess);
  if (!doubtful() || !std::isfinite(found.rr)) return found;
  if (own_)
    own_->apply(exec, system_.r(), z_->data());
  else
    cycle_->apply(exec);
  const Product<T> body{system_.r(), z_->data()};
  if (!(guess > 0)) return {found.rr, system_.exact(exec, body)[0]};
  for_own_cells(exec, "haloheap::comm::products", system_.layout(), body, system_.near({guess, 0}));
  const double sum = system_.sums(exec, body)[0];
  if (cycle_) cycle_->check();
  return {found.rr, sum};
}

/// Makes z, and r'z. Where z is worse than nothing, the polynomial's bounds are widened until it is not.
/// @param guess a magnitude of r'z; 0 if there is none
template <class T>
auto ConjugateGradient<T>::polynomial(const Exec& exec, double rr, double guess) -> Products {
  constexpr int attempts = 60;  // each widens the bounds by a half or more
  T* const r = system_.r();
  for (int attempt = 0; attempt < attempts; ++attempt) {
    inner_->start(exec, *spectrum_, r);
    for (int i = 0; i < system_.config().inner_steps; ++i) inner_->step(exec, z_->data(), i == 0);
    const ProductAndSquare<T> body{r, z_->data(), inner_->residual()};
    for_own_cells(exec, "haloheap::comm::products", system_.layout(), body, system_.near({guess, rr}));
    const auto sums = system_.sums(exec, body);
    inner_->check();
    const bool better = sums[1] <= rr && sums[0] > 0;
    if (better || !finite(sums[0], sums[1]) || rr == 0) return {rr, sums[0]};
    spectrum_ = raised(*spectrum_, inner_->quotient(exec));
  }
  return {rr, std::nan("")};
}

template <class T>
auto ConjugateGradient<T>::update(const Exec& exec, T alpha, const Products& last) -> Products {
  Products next{};
  with_scaling(scaling(), [&](const auto& by) {
    using Scaling = std::decay_t<decltype(by)>;
    for_own_cells(exec, "haloheap::comm::update_solution", system_.layout(),
                  UpdateSolution<T, Scaling>{system_.x(), system_.r(), q_.data(), w_.data(), by, alpha},
                  system_.near({last.rr, last.rz}));
    const ResidualProducts<T, Scaling> body{system_.r(), by};
    const auto sums = system_.sums(exec, body, [&] { send_residual(exec); });
    next = {sums[0], sums[body.dots - 1]};
  });
  return with_field(exec, next, last.rz);
}

/// What the next direction needs of the residual around own cells, if it is made of the residual.
template <class T>
void ConjugateGradient<T>::send_residual(const Exec& exec) {
  if (in_memory()) return;
  system_.exchange_residual(exec);
  system_.kernels().impose_on_direction(exec, system_.r());
}

/// @param guess the sum of the last direction; 0 if there was none
template <class T>
double ConjugateGradient<T>::next_direction(const Exec& exec, T beta, double guess) {
  T* z = system_.r();
  if (in_memory()) {
    z = z_->data();
    z_exchange_->exchange(exec, 0);
    system_.kernels().impose_on_direction(exec, z);
  }
  system_.kernels().next_direction(exec, z, scaling(), p_.data(), beta, q_.data(), w_.data(),
                                   system_.near({guess, 0}));
  const double sum = system_.sums(exec, Product<T>{q_.data(), w_.data()}, [&] {
    system_.kernels().direction_outside(exec, z, scaling(), p_.data(), beta, q_.data());
  })[0];
  system_.check();
  if (z_exchange_) z_exchange_->check();
  return sum;
}

template <class T>
std::optional<SpectrumBounds> ConjugateGradient<T>::spectrum() const {
  if (spectrum_ || numbers_.count() == 0) return spectrum_;
  return numbers_.bounds();
}

template <class T>
std::optional<double> ConjugateGradient<T>::condition() const {
  if (numbers_.count() == 0) return std::nullopt;
  const SpectrumBounds seen = numbers_.seen();
  return seen.min > 0 ? std::optional(seen.max / seen.min) : std::nullopt;
}

/// From iterations without a preconditioner.
template <class T>
void ConjugateGradient<T>::learn(double alpha, double beta) {
  if (source() != Source::residual) return;
  numbers_.add(alpha, beta);
  if (inner_ && numbers_.count() == system_.config().first_iterations) spectrum_ = numbers_.bounds();
}

template <class T>
Solution ConjugateGradient<T>::solve(const Exec& exec) {
  Solution solution;
  const auto ended = [&](StopReason reason) { return system_.ended(exec, solution, reason, w_.data()); };
  if (scaling_)
    if (const auto wrong = scaling_->prepare(exec, system_, true)) return ended(*wrong);
  if (cycle_)
    if (const auto wrong = cycle_->prepare(exec)) return ended(*wrong);
  if (own_) {
    own_->prepare(exec);
    set_all(exec, z_->data(), system_.layout(), T{0});
  }
  set_all(exec, p_.data(), system_.layout(), T{0});
  system_.subtract(exec, system_.r());
  Products last = products(exec);
  solution.history.push_back(std::sqrt(last.rr));
  if (!finite(last.rr, last.rz)) return ended(StopReason::not_a_number);
  if (doubtful() && last.rz <= 0 && last.rr > 0) return ended(StopReason::indefinite);
  send_residual(exec);
  const double goal = system_.config().tolerance * solution.history.front();
  if (!spectrum_) numbers_.clear();
  double beta = 0, guess = 0;
  while (solution.history.back() > goal) {
    if (solution.iterations == system_.config().max_iterations) return ended(StopReason::iterations);
    guess = next_direction(exec, static_cast<T>(beta), guess);
    if (!std::isfinite(guess)) return ended(StopReason::not_a_number);
    if (guess <= 0) return ended(StopReason::indefinite);
    const double alpha = last.rz / guess;
    Products next = update(exec, static_cast<T>(alpha), last);
    ++solution.iterations;
    solution.history.push_back(std::sqrt(next.rr));
    if (!finite(next.rr, next.rz)) return ended(StopReason::not_a_number);
    if (own_ && next.rz <= 0 && solution.history.back() > goal) return ended(StopReason::indefinite);
    beta = next.rz / last.rz;
    const Source before = source();
    learn(alpha, beta);
    if (source() != before) {  // with the polynomial from here on: another z, and no direction before it
      next = polynomial(exec, next.rr, 0);
      if (!std::isfinite(next.rz)) return ended(StopReason::not_a_number);
      beta = guess = 0;
    }
    last = next;
    std::swap(p_, q_);
  }
  if (inner_) spectrum_ = spectrum();
  return ended(StopReason::converged);
}

template class ConjugateGradient<float>;
template class ConjugateGradient<double>;

}  // namespace haloheap::comm
