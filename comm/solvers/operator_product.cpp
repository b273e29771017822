// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/halo/plain_exchanges.hpp>
#include <haloheap/comm/solvers/grid_operator.hpp>
#include <haloheap/comm/solvers/operator_product.hpp>
#include <haloheap/core/base/error.hpp>

namespace haloheap::comm {
namespace {

/// Made when it is known that what the ranks were given fits.
template <class T>
HaloPlan agreed_plan(const LinearOperator<T>& matrix, const FieldData<T>& x, const FieldData<T>& y,
                     double timeout) {
  HaloPlan plan;
  agree_on(matrix.communicator(), "OperatorProduct", set_up_timeout(timeout), [&] {
    x.require(matrix.layout(), "x");
    y.require(matrix.layout(), "y");
    if (x.start == y.start)
      throw UsageError("the fields 'x' and 'y' are the same memory",
                       "what the product reads would be overwritten by it", "give two fields");
    plan = HaloPlan::make(matrix.grid().topology, matrix.layout(), matrix.grid().cells, Exchange::sync,
                          MessagesPer::neighbour);
    return Terms{};
  });
  return plan;
}

}  // namespace

template <class T>
OperatorProduct<T>::OperatorProduct(const LinearOperator<T>& matrix, const FieldData<T>& x,
                                    const FieldData<T>& y, const HaloExchangeConfig& halo)
    : matrix_(matrix),
      x_(static_cast<T*>(x.start)),
      y_(static_cast<T*>(y.start)),
      plan_(agreed_plan(matrix, x, y, halo.timeout)),
      exchange_(matrix.communicator(), plan_, matrix.grid().topology,
                ExchangedFields::of(matrix.layout(), FieldPair<T>(x, x)), detail::plain_exchanges(halo),
                timer_) {}

template <class T>
void OperatorProduct<T>::apply(const Exec& exec) {
  exchange_.exchange(exec, 0);
  matrix_.kernels().impose_on_direction(exec, x_);
  matrix_.kernels().apply(exec, x_, nullptr, y_);
}

template <class T>
void OperatorProduct<T>::right_side(const Exec& exec) {
  exchange_.exchange(exec, 0);
  matrix_.kernels().impose(exec, x_);
  matrix_.kernels().apply(exec, x_, nullptr, y_);
}

template class OperatorProduct<float>;
template class OperatorProduct<double>;

}  // namespace haloheap::comm
