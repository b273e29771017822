// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_GMRES_HPP
#define HALOHEAP_COMM_SOLVERS_GMRES_HPP

#include <haloheap/comm/solvers/custom_preconditioner.hpp>
#include <haloheap/comm/solvers/diagonal_scaling.hpp>
#include <haloheap/comm/solvers/gram_matrix.hpp>
#include <haloheap/comm/solvers/hessenberg_least_squares.hpp>
#include <haloheap/comm/solvers/linear_system.hpp>

#include <optional>
#include <string>
#include <vector>

namespace haloheap::comm {

/// Solves A x = b for any operator that is not singular, symmetric or not, by generalised minimal residuals
/// ([Saad1986], with the preconditioner on the right): of all vectors that A makes of the residual in so many
/// iterations, the combination whose residual is smallest, so that it never grows. After
/// SolverConfig::restart iterations, a cycle, it begins anew with b - A x.
///
/// The vectors are orthogonalised twice by classical Gram-Schmidt, the second time in the sum of the
/// iteration after ([Bielich2022]): an iteration has one exchange of ghost cells and one sum of all ranks.
/// After k others of its cycle it moves 2 k + 9 values a cell: three to apply the operator to a vector with
/// one field of constants, k + 2 for the products, and k + 4 to make that vector and the next one orthogonal.
/// Two more for each eight vectors beyond the first ones, with which products are made in a pass of their
/// own, and four for each sixteen beyond those of the first update. The last of m iterations of a cycle makes
/// no vectors, but needs m + 7 for solution and residual. A preconditioner of a user's own is applied once in
/// an iteration, and once more at the end of a cycle.
template <class T>
class Gmres {
 public:
  using Exec = backend::Exec;

  /// Collective. Makes SolverConfig::restart + 1 fields, and one more with a preconditioner.
  /// @param b, x, own as of ConjugateGradient, but own need be neither symmetric nor positive definite.
  /// @throws likewise, and UsageError for other preconditioners than that of the diagonal and a user's own
  Gmres(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
        const FieldData<T>& x, CustomPreconditionerPtr<T> own = nullptr);

  /// Collective; as ConjugateGradient::solve. The diagonal may be of either sign, but not 0.
  Solution solve(const Exec& exec);

  std::string mix() const { return system_.mix(); }

 private:
  using Coordinates = std::vector<double>;

  /// Of the newest vector u, which is made orthogonal to the basis for the second time, and A M u.
  struct Products {
    Coordinates newest, applied;  ///< with the basis
    double square, both, applied_square;
  };
  /// How the basis goes on: u and what is orthogonal to it of A M u, by their products.
  struct Extension {
    double length = 0;      ///< of u, when it is orthogonal
    Coordinates again;      ///< what of u is in the basis
    Coordinates projected;  ///< A M u over the length, on the basis and u
    Coordinates column;     ///< of the Hessenberg matrix, as long as the next vector is orthogonal but once
    double scale = 0;       ///< the next vector is divided by it
  };
  enum class CycleEnd { done, singular, not_a_number };

  T* newest() const { return system_.r(); }
  const T* scaling() const { return scaling_ ? scaling_->data() : nullptr; }

  std::optional<Products> apply(const Exec& exec, std::size_t vectors, double guess);
  std::optional<Products> products(const Exec& exec, std::size_t vectors, const Coordinates& guesses) const;
  static Extension extension(const Products& found, double length,
                             const detail::HessenbergLeastSquares& small);
  void extend(const Exec& exec, std::size_t vectors, const Extension& by);
  void add_combination(const Exec& exec, const Coordinates& of_basis, double of_newest, T* to) const;
  void add_to_solution(const Exec& exec, const Coordinates& of_basis, double of_newest);
  CycleEnd cycle(const Exec& exec, double norm, double goal, Solution& solution);

  detail::LinearSystem<T> system_;
  std::vector<memory::Array<T>> basis_;
  memory::Array<T> applied_;
  std::optional<detail::DiagonalScaling<T>> scaling_;
  CustomPreconditionerPtr<T> own_;
  std::optional<memory::Array<T>> own_u_;  // M u of a user's own
  std::optional<typename detail::LinearSystem<T>::FieldExchange> own_exchange_;
  detail::GramMatrix<T> gram_;
  double growth_ = 0;  ///< of a vector by A M, as it was the last time; 0 if nobody knows
};

template <class T, class... Data>
Gmres(const LinearOperator<T>&, const SolverConfig&, Data&&...) -> Gmres<T>;

extern template class Gmres<float>;
extern template class Gmres<double>;

}  // namespace haloheap::comm

#endif
