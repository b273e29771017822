// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_OPERATOR_PRODUCT_HPP
#define HALOHEAP_COMM_SOLVERS_OPERATOR_PRODUCT_HPP

#include <haloheap/comm/halo/halo_exchange.hpp>
#include <haloheap/comm/phase_timer.hpp>
#include <haloheap/comm/solvers/linear_operator.hpp>

namespace haloheap::comm {

/// The product of an operator with a field, for methods of one's own and for right sides with a known
/// solution:
///
///     comm::OperatorProduct product(matrix, x, b);
///     product.right_side(exec);  // a solver of A x = b finds x
template <class T>
class OperatorProduct {
 public:
  using Exec = backend::Exec;

  /// Collective, as is its end, before which what was enqueued must be done. @param x, y two fields of
  /// matrix.layout(), which must outlive this object, as must the operator
  /// @throws UsageError for fields that are null, the same, or not of this layout (AgreedError if not on all
  /// ranks); else as HaloExchange
  OperatorProduct(const LinearOperator<T>& matrix, const FieldData<T>& x, const FieldData<T>& y,
                  const HaloExchangeConfig& halo = {});
  OperatorProduct(const OperatorProduct&) = delete;
  OperatorProduct& operator=(const OperatorProduct&) = delete;

  /// y = A x, where cells outside the grid that have a fixed value count as 0. Collective, and enqueued. Own
  /// cells of x are read and own cells of y are set; ghost cells of x are overwritten.
  void apply(const Exec& exec);
  /// The same with the fixed values: the right side that x is the solution of.
  void right_side(const Exec& exec);

  /// After what was enqueued is done. @throws CommunicationError if a neighbour has stayed silent
  void check() { exchange_.check(); }

 private:
  const LinearOperator<T>& matrix_;
  T *x_, *y_;
  HaloPlan plan_;
  PhaseTimer timer_{false};  // nobody looks at times
  HaloExchange exchange_;
};

template <class T, class X, class Y>
OperatorProduct(const LinearOperator<T>&, X&&, Y&&, const HaloExchangeConfig& = {}) -> OperatorProduct<T>;

extern template class OperatorProduct<float>;
extern template class OperatorProduct<double>;

}  // namespace haloheap::comm

#endif
