// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_CHEBYSHEV_STEPS_HPP
#define HALOHEAP_COMM_SOLVERS_CHEBYSHEV_STEPS_HPP

#include <haloheap/comm/halo/halo_exchange.hpp>
#include <haloheap/comm/solvers/linear_system.hpp>
#include <haloheap/comm/solvers/spectrum.hpp>

#include <memory>

namespace haloheap::comm::detail {

/// Steps of a Chebyshev iteration ([Saad2003], algorithm 12.1): each is an exchange and one pass over memory,
/// without a sum over ranks.
template <class T>
class ChebyshevSteps {
 public:
  using Exec = backend::Exec;

  /// Collective. @throws as HaloExchange, OutOfMemory for four fields
  explicit ChebyshevSteps(const LinearSystem<T>& system);

  /// Begins anew: the residual is copied.
  void start(const Exec& exec, const SpectrumBounds& bounds, const T* residual);
  /// x gets better by one step, whose residual then is residual().
  /// @param fresh x is 0, whatever is in memory
  void step(const Exec& exec, T* x, bool fresh);
  const T* residual() const { return residuals_[now_].data(); }
  /// The Rayleigh quotient r'Ar / r'r of residual(). Steps make modes within the bounds smaller and smaller,
  /// so that the residual is made of others in the end, and the quotient lies among their eigenvalues.
  double quotient(const Exec& exec);

  /// @throws CommunicationError if a neighbour has stayed silent
  void check() { exchange_.check(); }

 private:
  const LinearSystem<T>& system_;
  memory::Array<T> residuals_[2];
  memory::Array<T> direction_, next_direction_;
  typename LinearSystem<T>::FieldExchange exchange_;
  int now_ = 0;
  double theta_ = 1, delta_ = 1, rho_ = 0;
  bool first_ = true;
};

extern template class ChebyshevSteps<float>;
extern template class ChebyshevSteps<double>;

}  // namespace haloheap::comm::detail

#endif
