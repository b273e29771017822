// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/s_step_conjugate_gradient.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace haloheap::comm {

using namespace detail;

namespace {

/// On all ranks alike, since LinearSystem has compared their configurations.
int possible_steps(const SolverConfig& config, int depth) {
  if (config.block_steps > depth)
    throw UsageError(
        fmt::format("block_steps of a solver is {}, and the operator's depth {}", config.block_steps, depth),
        "ghost cells are enough for so many applications of the operator",
        fmt::format("give the LinearOperator an OperatorConfig with depth = {}", config.block_steps));
  return config.block_steps;
}

/// Calls `with` a number of vectors at compile time, at least as many as there are.
template <class With>
void with_count(int vectors, const With& with) {
  if (vectors <= 3) return with(std::integral_constant<int, 3>());
  if (vectors <= 5) return with(std::integral_constant<int, 5>());
  if (vectors <= 9) return with(std::integral_constant<int, 9>());
  with(std::integral_constant<int, 2 * max_block_steps + 1>());
}

/// By what a vector of a basis is longer than its first one where bounds are too narrow, and where its
/// products have lost too many digits.
constexpr double grown = 1.5, useless = 30;

}  // namespace

template <class T>
SStepConjugateGradient<T>::SStepConjugateGradient(const LinearOperator<T>& matrix, const SolverConfig& config,
                                                  const FieldData<T>& b, const FieldData<T>& x)
    : system_(SolverMethod::s_step_cg, matrix, config, b, x),
      pair_layout_(matrix.grid().layout(matrix.layout().halo.x, 2, sizeof(T))),
      pair_(system_.memory(), "haloheap::comm::direction_and_residual",
            static_cast<std::size_t>(pair_layout_.size())),
      plan_(HaloPlan::make(matrix.grid().topology, pair_layout_, matrix.grid().cells, Exchange::sync,
                           MessagesPer::neighbour)),
      exchange_(matrix.communicator(), plan_, matrix.grid().topology,
                ExchangedFields::of(pair_layout_, FieldPair<T>(pair_, pair_)), system_.config().halo, timer_),
      gram_(matrix.communicator(), system_.memory(), product(matrix.grid().cells),
            KrylovCoordinates::vectors(config.block_steps)),
      block_steps_(possible_steps(config, matrix.depth())) {
  for (int i = 1; i < 2 * block_steps_; ++i) powers_.push_back(system_.field("haloheap::comm::power"));
}

template <class T>
auto SStepConjugateGradient<T>::basis(const Exec& exec, int steps) -> Basis {
  Basis result;
  // A single step needs no basis but p, A p and r.
  result.steps = steps == 1 ? std::vector<BasisStep>(1) : chebyshev_basis(*spectrum_, steps);
  exchange_.exchange(exec, 0);
  auto power = powers_.begin();
  const auto extend = [&](T* first, int count) {
    system_.kernels().impose_on_direction(exec, first);
    const T *v = first, *last = first;
    result.vectors.push_back(first);
    for (int i = 0; i < count; ++i, ++power) {
      system_.kernels().extend_basis(exec, v, last, result.steps[static_cast<std::size_t>(i)], power->data(),
                                     count - 1 - i);
      last = std::exchange(v, power->data());
      result.vectors.push_back(v);
    }
  };
  extend(p(), steps);
  extend(r(), steps - 1);
  return result;
}

/// Norms of a basis, from those of p and r and how long its vectors were beside them.
template <class T>
std::vector<double> SStepConjugateGradient<T>::guesses(const Exec& exec, const Basis& basis) const {
  std::vector<double> result;
  const std::size_t count = basis.vectors.size(), residual = basis.steps.size() + 1;
  const bool known = lengths_.size() == count;
  if (!known && basis.steps.size() == 1) {  // nobody knows what the operator makes of p
    for (const T* vector : basis.vectors) result.push_back(system_.norm(exec, vector));
    return result;
  }
  for (std::size_t i = 0; i < count; ++i)
    result.push_back((i < residual ? p_norm_ : r_norm_) * (known ? lengths_[i] : 1));
  return result;
}

/// Nothing if a value is not finite.
template <class T>
std::optional<std::vector<double>> SStepConjugateGradient<T>::gram(const Exec& exec, const Basis& basis) {
  const std::size_t count = basis.vectors.size(), residual = basis.steps.size() + 1;
  const auto finite = [](const std::vector<double>& all) {
    return std::all_of(all.begin(), all.end(), [](double value) { return std::isfinite(value); });
  };
  typename GramMatrix<T>::Fields fields{basis.vectors, guesses(exec, basis)};
  std::vector<double> products = gram_.products(exec, system_.layout(), fields);
  if (!finite(products)) {
    for (std::size_t i = 0; i < count; ++i) fields.guesses[i] = system_.norm(exec, fields.data[i]);
    if (!finite(fields.guesses)) return std::nullopt;
    products = gram_.products(exec, system_.layout(), fields);
    if (!finite(products)) return std::nullopt;
  }
  lengths_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i < residual ? 0 : residual;
    const double share = products[i * count + i] / products[first * count + first];
    lengths_.push_back(share > 0 ? std::sqrt(share) : 1);
  }
  return products;
}

template <class T>
void SStepConjugateGradient<T>::combine(const Exec& exec, const Basis& basis,
                                        const KrylovCoordinates& found) {
  with_count(static_cast<int>(basis.vectors.size()), [&](auto room) {
    CombineBasis<T, room> kernel{};
    for (std::size_t i = 0; i < room; ++i) {
      const bool there = i < basis.vectors.size();
      kernel.vectors[i] = there ? basis.vectors[i] : p();
      kernel.of_x[i] = there ? static_cast<T>(found.solution()[i]) : 0;
      kernel.of_r[i] = there ? static_cast<T>(found.residual()[i]) : 0;
      kernel.of_p[i] = there ? static_cast<T>(found.direction()[i]) : 0;
    }
    kernel.x = system_.x();
    kernel.r = r();
    kernel.p = p();
    for_own_cells(exec, "haloheap::comm::combine_basis", system_.layout(), kernel);
  });
}

/// With the residual.
template <class T>
void SStepConjugateGradient<T>::begin_direction(const Exec& exec) {
  backend::copy_async(exec, p(), r(), static_cast<std::size_t>(pair_layout_.quantity_size) * sizeof(T));
  p_norm_ = r_norm_;
}

/// The residual as b - A x; with another direction if it is not the one that was believed. @returns why there
/// are no more iterations
template <class T>
std::optional<StopReason> SStepConjugateGradient<T>::renew(const Exec& exec, double goal, double believed) {
  system_.subtract(exec, r());
  const double norm = system_.norm(exec, r(), believed), before = std::exchange(anew_, norm);
  r_norm_ = norm;
  if (norm <= goal) return StopReason::converged;
  if (norm <= residual_drift * believed) return std::nullopt;
  if (!(norm <= before / residual_drift)) return StopReason::stagnated;
  begin_direction(exec);
  return std::nullopt;
}

/// One basis, and the iterations that it is good for. @returns why there are no more
template <class T>
std::optional<StopReason> SStepConjugateGradient<T>::block(const Exec& exec, double goal,
                                                           Solution& solution) {
  const int left = system_.config().max_iterations - solution.iterations;
  const int steps = std::min(steps_now(), left);
  const Basis now = basis(exec, steps);
  auto products = gram(exec, now);
  exchange_.check();
  if (!products) return StopReason::not_a_number;
  KrylovCoordinates found(now.steps, std::move(*products));
  if (steps > 1 && found.growth() > grown) {
    spectrum_ = raised(*spectrum_, found.quotient());
    lengths_.clear();
    if (!std::isfinite(spectrum_->max)) return StopReason::not_a_number;
    if (found.growth() > useless) return std::nullopt;
  }
  int made = 0;
  bool positive = true;
  while (found.can_go_on() && (made == 0 || solution.history.back() > goal)) {
    positive = found.iterate();
    if (!positive) break;
    ++made;
    solution.history.push_back(std::sqrt(found.rr()));
    if (!spectrum_) numbers_.add(found.alpha(), found.beta());
  }
  solution.iterations += made;
  if (made > 0) combine(exec, now, found);
  r_norm_ = solution.history.back();
  p_norm_ = found.direction_norm();
  if (!positive) {
    if (steps == 1) return StopReason::indefinite;
    block_steps_ = std::max(1, block_steps_ / 2);
  }
  if (!spectrum_ && numbers_.count() >= system_.config().first_iterations) spectrum_ = numbers_.bounds();
  return std::nullopt;
}

template <class T>
Solution SStepConjugateGradient<T>::solve(const Exec& exec) {
  Solution solution;
  const auto ended = [&](StopReason reason) { return system_.ended(exec, solution, reason, system_.r()); };
  system_.subtract(exec, r());
  anew_ = r_norm_ = system_.norm(exec, r());
  begin_direction(exec);
  if (!spectrum_) numbers_.clear();
  solution.history.push_back(anew_);
  if (!std::isfinite(anew_)) return ended(StopReason::not_a_number);
  const double goal = system_.config().tolerance * anew_;
  if (anew_ <= goal) return ended(StopReason::converged);
  for (int renewed = 0;;) {  // the iteration at which the residual was computed anew
    if (solution.iterations == system_.config().max_iterations) return ended(StopReason::iterations);
    if (const auto reason = block(exec, goal, solution)) return ended(*reason);
    double& norm = solution.history.back();
    if (norm > goal && solution.iterations - renewed < system_.config().replace_interval) continue;
    renewed = solution.iterations;
    const auto reason = renew(exec, goal, norm);
    norm = anew_;
    if (reason) return ended(*reason);
  }
}

template class SStepConjugateGradient<float>;
template class SStepConjugateGradient<double>;

}  // namespace haloheap::comm
