// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_BICGSTAB_HPP
#define HALOHEAP_COMM_SOLVERS_BICGSTAB_HPP

#include <haloheap/comm/solvers/custom_preconditioner.hpp>
#include <haloheap/comm/solvers/diagonal_scaling.hpp>
#include <haloheap/comm/solvers/linear_system.hpp>

#include <memory>
#include <optional>
#include <string>

namespace haloheap::comm {

/// Solves A x = b for an operator that need not be symmetric, such as one with advection, by the stabilised
/// method of biconjugate gradients ([VanDerVorst1992], with the preconditioner on the right). An iteration
/// applies the operator twice, with an exchange of ghost cells each, and has four sums of all ranks.
template <class T>
class BiCGStab {
 public:
  using Exec = backend::Exec;

  /// Collective. @param b, x, own as of ConjugateGradient, but own need be neither symmetric nor positive
  /// definite. @throws likewise, and UsageError for a polynomial as preconditioner, which is for symmetric
  /// operators
  BiCGStab(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
           const FieldData<T>& x, CustomPreconditionerPtr<T> own = nullptr);

  /// Collective; as ConjugateGradient::solve. The diagonal may be of either sign, but not 0.
  Solution solve(const Exec& exec);

  std::string mix() const { return system_.mix(); }

 private:
  struct Pair {
    double first, second;
  };

  /// Which vector the operator is applied to, and its exchange.
  enum Set { direction, residual };

  const T* scaling() const { return scaling_ ? scaling_->data() : nullptr; }
  /// w = A M p, and the products a'w and w'w.
  Pair apply(const Exec& exec, Set set, const T* a, T* w, const Pair& guess);
  template <class OfDirection, class OfResidual>
  void update_solution(const Exec& exec, T alpha, T omega, const Pair& guess, const OfDirection& of_p,
                       const OfResidual& of_r);
  double subtract(const Exec& exec, T alpha, double guess);
  Pair update(const Exec& exec, T alpha, T omega, const Pair& guess);

  detail::LinearSystem<T> system_;
  memory::Array<T> shadow_, p_, v_, t_;
  std::optional<detail::DiagonalScaling<T>> scaling_;
  CustomPreconditionerPtr<T> own_;
  std::optional<memory::Array<T>> own_p_, own_r_;             // M p and M r of a user's own
  typename detail::LinearSystem<T>::FieldExchange exchange_;  // of p and r, or M p and M r
};

template <class T, class... Data>
BiCGStab(const LinearOperator<T>&, const SolverConfig&, Data&&...) -> BiCGStab<T>;

extern template class BiCGStab<float>;
extern template class BiCGStab<double>;

}  // namespace haloheap::comm

#endif
