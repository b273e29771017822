// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_S_STEP_CONJUGATE_GRADIENT_HPP
#define HALOHEAP_COMM_SOLVERS_S_STEP_CONJUGATE_GRADIENT_HPP

#include <haloheap/comm/solvers/gram_matrix.hpp>
#include <haloheap/comm/solvers/krylov_coordinates.hpp>
#include <haloheap/comm/solvers/linear_system.hpp>

#include <optional>
#include <string>
#include <vector>

namespace haloheap::comm {

/// Conjugate gradients with one exchange of ghost cells and one sum of all ranks for `block_steps` iterations
/// ([Carson2015]): the operator is applied to direction and residual so many times on ghost cells that grow
/// narrower each time, as sub-steps of DeepHalo are; the products of all those vectors then hold what the
/// iterations need. Needs an operator of that depth:
///
///     const comm::LinearOperator matrix(world, grid, Poisson{}, sides, comm::OperatorConfig{.depth = 4});
///     comm::SStepConjugateGradient solver(matrix, {.block_steps = 4}, b, x);  // fields of matrix.layout()
///
/// The first `first_iterations` are made one by one, and tell between which numbers the eigenvalues lie, for
/// a basis of Chebyshev polynomials. It applies the operator twice as often as ConjugateGradient: for ranks
/// with few cells each, and messages and sums that cost more than those.
template <class T>
class SStepConjugateGradient {
 public:
  using Exec = backend::Exec;

  /// Collective. @param b, x as of ConjugateGradient. @throws likewise, and UsageError for a preconditioner,
  /// and more steps than the operator's depth
  SStepConjugateGradient(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
                         const FieldData<T>& x);

  /// Collective; as ConjugateGradient::solve.
  Solution solve(const Exec& exec);

  std::string mix() const { return exchange_.mix(); }
  /// Iterations of a block now: halved each time that a basis has turned out to be dependent.
  int block_steps() const { return block_steps_; }

 private:
  /// A basis: p and what the operator makes of it, then r.
  struct Basis {
    std::vector<detail::BasisStep> steps;
    std::vector<const T*> vectors;
  };

  T* p() const { return pair_.data(); }
  T* r() const { return pair_.data() + pair_layout_.quantity_size; }
  int steps_now() const { return spectrum_ ? block_steps_ : 1; }
  Basis basis(const Exec& exec, int steps);
  std::vector<double> guesses(const Exec& exec, const Basis& basis) const;
  std::optional<std::vector<double>> gram(const Exec& exec, const Basis& basis);
  void combine(const Exec& exec, const Basis& basis, const detail::KrylovCoordinates& found);
  void begin_direction(const Exec& exec);
  std::optional<StopReason> renew(const Exec& exec, double goal, double believed);
  std::optional<StopReason> block(const Exec& exec, double goal, Solution& solution);

  detail::LinearSystem<T> system_;
  grid::FieldLayout pair_layout_;  ///< of p and r, in one array for one exchange
  memory::Array<T> pair_;
  std::vector<memory::Array<T>> powers_;
  HaloPlan plan_;
  PhaseTimer timer_{false};  // nobody looks at times
  HaloExchange exchange_;
  detail::GramMatrix<T> gram_;
  int block_steps_;
  double p_norm_ = 0, r_norm_ = 0;
  std::vector<double> lengths_;  ///< of the last basis: of its vectors, over those that they were made from
  double anew_ = 0;              ///< norm of the residual when it was last computed as b - A x
  detail::LanczosNumbers numbers_;
  std::optional<detail::SpectrumBounds> spectrum_;
};

template <class T, class... Data>
SStepConjugateGradient(const LinearOperator<T>&, const SolverConfig&, Data&&...) -> SStepConjugateGradient<T>;

extern template class SStepConjugateGradient<float>;
extern template class SStepConjugateGradient<double>;

}  // namespace haloheap::comm

#endif
