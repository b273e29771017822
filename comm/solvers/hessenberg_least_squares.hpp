// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_HESSENBERG_LEAST_SQUARES_HPP
#define HALOHEAP_COMM_SOLVERS_HESSENBERG_LEAST_SQUARES_HPP

#include <cmath>
#include <cstddef>
#include <vector>

namespace haloheap::comm::detail {

/// The y that makes ||(norm, 0, 0, ...) - H y|| smallest, on the host: H has one more column each time, and
/// one value below the diagonal in each, which a Givens rotation removes ([Saad1986], section 3.2).
class HessenbergLeastSquares {
 public:
  using Vector = std::vector<double>;

  /// @param vanished share of the longest column: what is left of a column and is no longer counts as 0
  HessenbergLeastSquares(double norm, double vanished) : vanished_(vanished), right_{norm} {}

  std::size_t columns() const { return upper_.size(); }
  /// The smallest norm with the columns so far.
  double residual() const { return std::abs(right_.back()); }
  /// The same if this column were added.
  double residual_with(const Vector& column) const;
  /// @param column one value more than there are columns with it
  /// @returns whether it was added: not where it depends on those before it, so that y would not be known
  bool add(const Vector& column);

  Vector solution() const;
  /// H y.
  Vector times(const Vector& y) const;

 private:
  struct Rotation {
    double cosine, sine;
  };

  Vector rotated(Vector column) const;

  double vanished_, longest_ = 0;
  std::vector<Vector> given_, upper_;  ///< columns of H, and of the triangle that is made of it
  std::vector<Rotation> rotations_;
  Vector right_;
};

}  // namespace haloheap::comm::detail

#endif
