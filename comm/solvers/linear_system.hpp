// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_LINEAR_SYSTEM_HPP
#define HALOHEAP_COMM_SOLVERS_LINEAR_SYSTEM_HPP

#include <haloheap/comm/halo/halo_exchange.hpp>
#include <haloheap/comm/solvers/dot_products.hpp>
#include <haloheap/comm/solvers/linear_operator.hpp>
#include <haloheap/comm/solvers/solver_config.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <string>

namespace haloheap::comm::detail {

/// By what b - A x may be larger than what a recurrence takes for it.
inline constexpr double residual_drift = 2;

/// What solvers of A x = b have in common: the system, its residual, and sums of all ranks.
template <class T>
class LinearSystem {
 public:
  using Exec = backend::Exec;

  /// Collective. @param with_own whether the solver has a CustomPreconditioner
  /// @throws as ConjugateGradient, and what solver_problem says of the method
  LinearSystem(SolverMethod method, const LinearOperator<T>& matrix, const SolverConfig& config,
               const FieldData<T>& b, const FieldData<T>& x, bool with_own = false);

  const LinearOperator<T>& matrix() const { return matrix_; }
  const GridOperator<T>& kernels() const { return matrix_.kernels(); }
  const SolverConfig& config() const { return config_; }
  const grid::FieldLayout& layout() const { return matrix_.layout(); }
  const DotProducts& dots() const { return dots_; }
  T* x() const { return x_; }
  T* r() const { return r_.data(); }
  const memory::Array<T>& residual_field() const { return r_; }
  /// Of the solver's own fields.
  const std::shared_ptr<memory::MemoryResource>& memory() const { return memory_; }
  memory::Array<T> field(const char* label) const {
    return memory::Array<T>(memory_, label, static_cast<std::size_t>(layout().size()));
  }

  /// Of ghost cells of other fields of a solver, two that take turns or one twice.
  class FieldExchange : public HaloExchange {
   public:
    FieldExchange(const LinearSystem& system, const FieldPair<T>& fields)
        : HaloExchange(system.matrix().communicator(), system.plan_, system.matrix().grid().topology,
                       ExchangedFields::of(system.layout(), fields), system.config_.halo, system.timer_) {}
  };
  /// Ghost cells of the residual.
  void exchange_residual(const Exec& exec) { exchange_.exchange(exec, residual_set); }
  /// to = b - A x.
  void subtract(const Exec& exec, T* to);
  /// ||field||. @param guess its magnitude; 0 if nobody knows
  double norm(const Exec& exec, const T* field, double guess = 0) const {
    const Product<T> square{field, field};
    if (!(guess > 0)) return std::sqrt(exact(exec, square)[0]);
    for_own_cells(exec, "haloheap::comm::products", layout(), square, near({guess * guess, 0}));
    return std::sqrt(sums(exec, square)[0]);
  }
  /// For kernels whose sums have such magnitudes, or will be asked for twice.
  DotTarget near(std::array<double, max_dots> guesses) const {
    constexpr double room = 0x1p24;  // by which a product may be larger than the guess of its sum
    for (double& guess : guesses) guess = room * std::abs(guess);
    return dots_.target(guesses);
  }
  /// What kernels have added to `near`, of all ranks. @param body gives the same products: exact if there was
  /// too little room. @param meanwhile see DotProducts::sums; it changes nothing that the body reads
  template <class Body>
  std::array<double, max_dots> sums(const Exec& exec, const Body& body,
                                    const std::function<void()>& meanwhile = nullptr) const {
    return finite_or_exact(exec, dots_.sums(exec, meanwhile), body);
  }
  /// The same in two calls: see DotProducts.
  void begin_sums(const Exec& exec) { dots_.begin_sums(exec); }
  template <class Body>
  std::array<double, max_dots> finish_sums(const Exec& exec, const Body& body) {
    return finite_or_exact(exec, dots_.finish_sums(), body);
  }
  /// Sums of what a body gives, of any magnitude: looks for the largest product first. NaN if one is not
  /// finite.
  template <class Body>
  std::array<double, max_dots> exact(const Exec& exec, const Body& body) const {
    for_own_cells(exec, "haloheap::comm::largest_product", layout(),
                  LargestProduct<Body>{body, dots_.largest_target()});
    const double largest = dots_.largest(exec);
    if (!std::isfinite(largest)) {
      std::array<double, max_dots> none;
      none.fill(std::nan(""));
      return none;
    }
    std::array<double, max_dots> bounds;
    bounds.fill(largest);
    for_own_cells(exec, "haloheap::comm::products", layout(), body, dots_.target(bounds));
    return dots_.sums(exec);
  }

  /// What a solver returns: with the residual of the last x, for which it lends a field.
  Solution ended(const Exec& exec, Solution solution, StopReason reason, T* lent);

  /// @throws CommunicationError if a neighbour has stayed silent
  void check() { exchange_.check(); }
  std::string mix() const { return exchange_.mix(); }

 private:
  enum Set { residual_set, solution_set };

  bool has_no_solution(const Exec& exec, double goal);

  template <class Body>
  std::array<double, max_dots> finite_or_exact(const Exec& exec, const std::array<double, max_dots>& found,
                                               const Body& body) const {
    for (const double sum : found)
      if (!std::isfinite(sum)) return exact(exec, body);
    return found;
  }

  const LinearOperator<T>& matrix_;
  SolverConfig config_;
  HaloPlan plan_;
  T *b_, *x_;
  std::shared_ptr<memory::MemoryResource> memory_;
  memory::Array<T> r_;
  mutable PhaseTimer timer_{false};  // nobody looks at times
  HaloExchange exchange_;
  mutable DotProducts dots_;
};

extern template class LinearSystem<float>;
extern template class LinearSystem<double>;

}  // namespace haloheap::comm::detail

#endif
