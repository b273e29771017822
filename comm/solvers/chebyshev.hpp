// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_CHEBYSHEV_HPP
#define HALOHEAP_COMM_SOLVERS_CHEBYSHEV_HPP

#include <haloheap/comm/solvers/conjugate_gradient.hpp>

namespace haloheap::comm {

/// Solves A x = b by a Chebyshev iteration ([Saad2003], algorithm 12.1), for operators that are symmetric and
/// positive definite: more steps than conjugate gradients take, each of which is one exchange and one pass of
/// seven values a cell in the place of eleven, and no sum of all ranks but for a look at the residual each
/// SolverConfig::check_interval steps. It begins with SolverConfig::first_iterations of conjugate gradients,
/// which tell between which numbers the eigenvalues lie. Where these turn out to be too narrow, the residual
/// grows, or falls more slowly than it has to, and tells how far they have to be; steps that made it grow are
/// taken back.
template <class T>
class Chebyshev {
 public:
  using Exec = backend::Exec;

  /// Collective. @param b, x as of ConjugateGradient. @throws likewise, and UsageError for a preconditioner
  Chebyshev(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
            const FieldData<T>& x);

  /// Collective; as ConjugateGradient::solve. The history has the residual before and after each first
  /// iteration, and then at each look.
  Solution solve(const Exec& exec);

  std::string mix() const { return system_.mix(); }

 private:
  detail::LinearSystem<T> system_;
  ConjugateGradient<T> first_;
  detail::ChebyshevSteps<T> steps_;
  memory::Array<T> good_;  // x at the last look
  std::optional<detail::SpectrumBounds> spectrum_;
};

template <class T, class... Data>
Chebyshev(const LinearOperator<T>&, const SolverConfig&, Data&&...) -> Chebyshev<T>;

extern template class Chebyshev<float>;
extern template class Chebyshev<double>;

}  // namespace haloheap::comm

#endif
