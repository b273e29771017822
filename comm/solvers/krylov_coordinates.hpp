// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_KRYLOV_COORDINATES_HPP
#define HALOHEAP_COMM_SOLVERS_KRYLOV_COORDINATES_HPP

#include <haloheap/comm/solvers/grid_operator.hpp>
#include <haloheap/comm/solvers/spectrum.hpp>

#include <vector>

namespace haloheap::comm::detail {

/// How the vectors of a basis follow from each other: Chebyshev polynomials of the operator, which stay about
/// as long as the first vector if its eigenvalues lie within the bounds.
std::vector<BasisStep> chebyshev_basis(const SpectrumBounds& bounds, int steps);

/// Conjugate gradients on small vectors: coordinates in the basis V = [p, ..., r, ...] of steps + 1 vectors
/// from the direction and `steps` from the residual, whose products are known ([Carson2015], algorithm 4).
/// The same on all ranks.
class KrylovCoordinates {
 public:
  using Vector = std::vector<double>;

  static int vectors(int steps) { return 2 * steps + 1; }

  /// @param basis of `steps` steps @param gram products of all pairs of vectors, row after row
  KrylovCoordinates(std::vector<BasisStep> basis, Vector gram);

  /// Makes one iteration, if p'Ap is positive. @returns whether it was
  bool iterate();
  /// Whether another one can be trusted: there are vectors for it that do not depend on the others, and the
  /// residual is not yet so small that it is made of what rounding leaves of the products.
  bool can_go_on() const;
  int usable_steps() const { return usable_; }

  /// The largest norm of a vector over that of the direction or residual that it was made from: above 1 where
  /// eigenvalues lie beyond the bounds of the basis.
  double growth() const;
  /// The Rayleigh quotient of the vector before the last one, which holds those eigenvalues above all.
  double quotient() const;

  double rr() const { return rr_; }  ///< r'r
  double direction_norm() const;
  double alpha() const { return alpha_; }  ///< of the last iteration
  double beta() const { return beta_; }

  const Vector& solution() const { return x_; }  ///< what is added to x
  const Vector& residual() const { return r_; }
  const Vector& direction() const { return p_; }

 private:
  Vector applied(const Vector& to) const;
  double product(const Vector& one, const Vector& other) const;
  int independent(std::size_t first, std::size_t count) const;

  std::vector<BasisStep> basis_;
  Vector gram_, x_, r_, p_;
  double first_, rr_, alpha_ = 0, beta_ = 0;
  int made_ = 0, usable_ = 0;
};

}  // namespace haloheap::comm::detail

#endif
