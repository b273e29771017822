// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_PIPELINED_CONJUGATE_GRADIENT_HPP
#define HALOHEAP_COMM_SOLVERS_PIPELINED_CONJUGATE_GRADIENT_HPP

#include <haloheap/comm/solvers/diagonal_scaling.hpp>
#include <haloheap/comm/solvers/linear_system.hpp>

#include <optional>
#include <string>

namespace haloheap::comm {

/// Conjugate gradients with one sum of all ranks an iteration, which is on its way while ghost cells are
/// exchanged and the operator is applied ([Ghysels2014], algorithm 4, with a diagonal as preconditioner). In
/// exact arithmetic it makes the iterations of ConjugateGradient. It moves sixteen values a cell instead of
/// eleven: for many ranks with few cells each, where the latency of sums costs more than memory.
///
/// Its recurrences drift from what they stand for, so that residual and directions are computed anew each
/// `replace_interval` iterations ([Cools2018]), where something follows from them that cannot be, and before
/// the residual is called small enough. It needs seven fields, one of which remembers the best solution.
template <class T>
class PipelinedConjugateGradient {
 public:
  using Exec = backend::Exec;

  /// Collective. @param b, x as of ConjugateGradient. @throws likewise, and UsageError for a polynomial as
  /// preconditioner
  PipelinedConjugateGradient(const LinearOperator<T>& matrix, const SolverConfig& config,
                             const FieldData<T>& b, const FieldData<T>& x);

  /// Collective; as ConjugateGradient::solve.
  Solution solve(const Exec& exec);

  std::string mix() const { return system_.mix(); }

 private:
  /// r'z, w'z with z = M r and w = A z, and r'r.
  struct Products {
    double rz, wz, rr;

    bool finite() const;
  };
  /// The numbers of an iteration: p = z + beta p, x += alpha p.
  struct Recurrence {
    double alpha = 0, beta = 0, last_rz = 0;

    void begin(double rz);
    /// p'Ap of the next direction, as it follows from products that are known.
    double curvature(const Products& now) const;
    void end(const Products& now, double found);
  };
  enum class Verdict { go_on, restart, converged, stagnated };
  enum Set { applied_set, chained_set };  // of exchange_

  const T* scaling() const { return scaling_ ? scaling_->data() : nullptr; }
  void apply_to_applied(const Exec& exec);
  void replace_residual(const Exec& exec);
  void replace_directions(const Exec& exec);
  template <class Add>
  Products products_by(const Add& add);
  Products products(const Exec& exec);
  Products finish(const Exec& exec);
  Products replace(const Exec& exec);
  Verdict renew(const Exec& exec, double believed, double goal, Products& now);
  void keep(const Exec& exec, double norm);
  double curvature_of_direction(const Exec& exec, double beta);
  void step(const Exec& exec, const Recurrence& numbers, const Products& last);

  detail::LinearSystem<T> system_;
  memory::Array<T> w_, p_, s_, z_, n_;  ///< w = A M r, s = A p, z = A M s, n = A M w
  memory::Array<T> good_;               ///< x with the smallest residual that was computed anew
  double best_ = 0;                     ///< its norm
  bool given_up_ = false;               ///< whether what came after it was lost once
  std::optional<detail::DiagonalScaling<T>> scaling_;
  typename detail::LinearSystem<T>::FieldExchange exchange_, direction_exchange_;  // of w and s; of p
};

template <class T, class... Data>
PipelinedConjugateGradient(const LinearOperator<T>&, const SolverConfig&, Data&&...)
    -> PipelinedConjugateGradient<T>;

extern template class PipelinedConjugateGradient<float>;
extern template class PipelinedConjugateGradient<double>;

}  // namespace haloheap::comm

#endif
