// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/chebyshev_steps.hpp>

#include <utility>

namespace haloheap::comm::detail {

template <class T>
ChebyshevSteps<T>::ChebyshevSteps(const LinearSystem<T>& system)
    : system_(system),
      residuals_{system.field("haloheap::comm::chebyshev_residual"),
                 system.field("haloheap::comm::chebyshev_residual")},
      direction_(system.field("haloheap::comm::chebyshev_direction")),
      next_direction_(system.field("haloheap::comm::chebyshev_direction")),
      exchange_(system, FieldPair<T>(residuals_[0], residuals_[1])) {}

template <class T>
void ChebyshevSteps<T>::start(const Exec& exec, const SpectrumBounds& bounds, const T* residual) {
  theta_ = (bounds.max + bounds.min) / 2;
  delta_ = (bounds.max - bounds.min) / 2;
  now_ = 0;
  first_ = true;
  set_all(exec, direction_.data(), system_.layout(), T{0});
  backend::copy_async(exec, residuals_[0].data(), residual, residuals_[0].size() * sizeof(T));
}

template <class T>
void ChebyshevSteps<T>::step(const Exec& exec, T* x, bool fresh) {
  exchange_.exchange(exec, now_);
  system_.kernels().impose_on_direction(exec, residuals_[now_].data());
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
  system_.kernels().chebyshev_step(exec, residuals_[now_].data(), static_cast<T>(factor), direction_.data(),
                                   static_cast<T>(beta), next_direction_.data(), x,
                                   residuals_[1 - now_].data(), fresh);
  std::swap(direction_, next_direction_);
  now_ = 1 - now_;
}

template <class T>
double ChebyshevSteps<T>::quotient(const Exec& exec) {
  exchange_.exchange(exec, now_);
  system_.kernels().impose_on_direction(exec, residuals_[now_].data());
  system_.kernels().apply(exec, residuals_[now_].data(), nullptr,
                          next_direction_.data());  // has no value between steps
  const T* const r = residuals_[now_].data();
  const auto sums = system_.exact(exec, ProductAndSquare<T>{next_direction_.data(), r, r});
  return sums[0] / sums[1];
}

template class ChebyshevSteps<float>;
template class ChebyshevSteps<double>;

}  // namespace haloheap::comm::detail
