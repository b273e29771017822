// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_CONJUGATE_GRADIENT_HPP
#define HALOHEAP_COMM_SOLVERS_CONJUGATE_GRADIENT_HPP

#include <haloheap/comm/solvers/chebyshev_steps.hpp>
#include <haloheap/comm/solvers/custom_preconditioner.hpp>
#include <haloheap/comm/solvers/diagonal_scaling.hpp>
#include <haloheap/comm/solvers/linear_system.hpp>
#include <haloheap/comm/solvers/v_cycle.hpp>

#include <memory>
#include <optional>
#include <string>

namespace haloheap::comm {

/// Solves A x = b for an operator that is symmetric and positive definite, by conjugate gradients
/// ([Hestenes1952], with preconditioner as in [Saad2003], algorithm 9.1):
///
///     const comm::LinearOperator matrix(world, grid, Poisson{}, sides);
///     const auto layout = matrix.layout();
///     const Kokkos::View<double*> b("b", layout.size()), x("x", layout.size());  // own cells of b are set
///     comm::ConjugateGradient solver(matrix, {.tolerance = 1e-10}, b, x);
///     const comm::Solution solution = solver.solve(instance);  // x holds it, from what it held before
///
/// An iteration has one exchange of ghost cells, two passes over memory and two sums of all ranks. The first
/// pass makes the direction and applies the operator to it, and reads the residual, the last direction and
/// the operator's constants, and writes two fields; the second one reads four fields and writes two. All
/// sums are exact before they are rounded once, so that residuals, iterations and solution have the same bits
/// on any ranks, transports and threads.
template <class T>
class ConjugateGradient {
 public:
  using Exec = backend::Exec;

  /// Collective. @param b, x device-accessible fields of matrix.layout(). They and the operator must outlive
  /// this object. @param own a preconditioner in the place of SolverConfig::preconditioner, which is none
  /// then
  /// @throws UsageError for fields that are null, not of this layout or the same memory, and a tolerance or
  /// number of iterations that is negative (AgreedError if not all ranks are wrong); AgreedError if the ranks
  /// were given different configurations; else as HaloExchange. OutOfMemory for its four fields
  ConjugateGradient(const LinearOperator<T>& matrix, const SolverConfig& config, const FieldData<T>& b,
                    const FieldData<T>& x, CustomPreconditionerPtr<T> own = nullptr);

  /// Collective. Starts from what x holds, and returns when x holds the solution. What has written b and x
  /// must be enqueued on `exec`, or done.
  /// @throws CommunicationError if a neighbour has stayed silent
  Solution solve(const Exec& exec);

  /// Of the exchanges: see HaloExchange.
  std::string mix() const { return system_.mix(); }
  /// What iterations have told of the operator's eigenvalues: those of the last call of `solve`, or, with a
  /// polynomial, the first ones. Nothing if there were none yet, or with another preconditioner.
  std::optional<detail::SpectrumBounds> spectrum() const;
  /// The largest eigenvalue over the smallest one that the iterations without a preconditioner have seen, of
  /// the last call of `solve` that made some. Nothing if there were none.
  std::optional<double> condition() const;

 private:
  struct Products {
    double rr, rz;
  };
  /// What z is made of: r, r times a field, r by a polynomial, by a multigrid cycle or by a user's own.
  enum class Source { residual, scaled, polynomial, cycle, own };

  Source source() const;
  /// Whether z is made before it is used.
  bool in_memory() const { return source() != Source::residual && source() != Source::scaled; }
  /// Whether z is made by what may turn out to be indefinite.
  bool doubtful() const { return source() == Source::cycle || source() == Source::own; }
  const T* scaling() const { return scaling_ ? scaling_->data() : nullptr; }
  void send_residual(const Exec& exec);
  double next_direction(const Exec& exec, T beta, double guess);
  Products update(const Exec& exec, T alpha, const Products& last);
  Products products(const Exec& exec);
  Products with_field(const Exec& exec, const Products& found, double guess);
  Products polynomial(const Exec& exec, double rr, double guess);
  void learn(double alpha, double beta);

  detail::LinearSystem<T> system_;
  memory::Array<T> p_, q_, w_;
  std::optional<detail::DiagonalScaling<T>> scaling_;
  std::optional<memory::Array<T>> z_;
  std::optional<typename detail::LinearSystem<T>::FieldExchange> z_exchange_;
  std::optional<detail::ChebyshevSteps<T>> inner_;
  std::unique_ptr<detail::VCycle<T>> cycle_;
  CustomPreconditionerPtr<T> own_;
  detail::LanczosNumbers numbers_;
  std::optional<detail::SpectrumBounds> spectrum_;  // that polynomials are made for
};

template <class T, class... Data>
ConjugateGradient(const LinearOperator<T>&, const SolverConfig&, Data&&...) -> ConjugateGradient<T>;

extern template class ConjugateGradient<float>;
extern template class ConjugateGradient<double>;

}  // namespace haloheap::comm

#endif
