// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/chebyshev_steps.hpp>

#include <utility>

namespace haloheap::comm::detail {

template <class T>
ChebyshevSteps<T>::ChebyshevSteps(const LinearOperator<T>& matrix, const HaloPlan& plan,
                                  const HaloExchangeConfig& config,
                                  const std::shared_ptr<memory::MemoryResource>& memory)
    : matrix_(matrix),
      residuals_{
          {memory, "haloheap::comm::chebyshev_residual", static_cast<std::size_t>(matrix.layout().size())},
          {memory, "haloheap::comm::chebyshev_residual", static_cast<std::size_t>(matrix.layout().size())}},
      direction_(memory, "haloheap::comm::chebyshev_direction",
                 static_cast<std::size_t>(matrix.layout().size())),
      next_direction_(memory, "haloheap::comm::chebyshev_direction",
                      static_cast<std::size_t>(matrix.layout().size())),
      exchange_(matrix.communicator(), plan, matrix.grid().topology,
                ExchangedFields::of(matrix.layout(), FieldPair<T>(residuals_[0], residuals_[1])), config,
                timer_) {}

template <class T>
void ChebyshevSteps<T>::start(const Exec& exec, const SpectrumBounds& bounds, const T* residual) {
  theta_ = (bounds.max + bounds.min) / 2;
  delta_ = (bounds.max - bounds.min) / 2;
  now_ = 0;
  first_ = true;
  set_all(exec, direction_.data(), matrix_.layout(), T{0});
  backend::copy_async(exec, residuals_[0].data(), residual, residuals_[0].size() * sizeof(T));
}

template <class T>
void ChebyshevSteps<T>::step(const Exec& exec, T* x, bool fresh) {
  exchange_.exchange(exec, now_);
  matrix_.kernels().impose_on_direction(exec, residuals_[now_].data());
  double factor = 1 / theta_, beta = 0;
  if (first_) {
    rho_ = delta_ / theta_;
  } else {
    const double next = 1 / (2 * theta_ / delta_ - rho_);
    beta = next * rho_;
    factor = 2 * next / delta_;
    rho_ = next;
  }
  first_ = false;
  matrix_.kernels().chebyshev_step(exec, residuals_[now_].data(), static_cast<T>(factor), direction_.data(),
                                   static_cast<T>(beta), next_direction_.data(), x,
                                   residuals_[1 - now_].data(), fresh);
  std::swap(direction_, next_direction_);
  now_ = 1 - now_;
}

template class ChebyshevSteps<float>;
template class ChebyshevSteps<double>;

}  // namespace haloheap::comm::detail
