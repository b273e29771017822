// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_SPECTRUM_HPP
#define HALOHEAP_COMM_SOLVERS_SPECTRUM_HPP

#include <vector>

namespace haloheap::comm::detail {

/// Between which numbers the eigenvalues of an operator lie.
struct SpectrumBounds {
  double min = 0, max = 0;
};

/// Bounds so far up that they have a mode with this Rayleigh quotient, which may be infinite or no number.
SpectrumBounds raised(const SpectrumBounds& bounds, double quotient);
/// Bounds so far down.
SpectrumBounds lowered(const SpectrumBounds& bounds, double quotient);
/// What a Chebyshev iteration leaves of a residual after so many steps, at most, if all eigenvalues lie
/// within the bounds ([Saad2003], section 6.11.3).
double chebyshev_reduction(const SpectrumBounds& bounds, int steps);

/// The smallest and largest eigenvalue of a symmetric tridiagonal matrix, by bisection.
/// @param diagonal of n > 0 numbers; beside it n - 1 (or more, which do not count)
SpectrumBounds extreme_eigenvalues(const std::vector<double>& diagonal, const std::vector<double>& beside);

/// What iterations of conjugate gradients tell of the eigenvalues: their numbers are a tridiagonal matrix
/// whose extreme eigenvalues come close to those of the operator ([Saad2003], section 6.7.3).
class LanczosNumbers {
 public:
  void clear() { *this = {}; }
  /// Of an iteration: the length of its step, and what the last direction was multiplied by for the next one.
  void add(double alpha, double beta);
  int count() const { return static_cast<int>(diagonal_.size()); }
  /// The extreme eigenvalues that they have seen.
  SpectrumBounds seen() const;
  /// With room for what they have not seen.
  SpectrumBounds bounds() const;

 private:
  std::vector<double> diagonal_, beside_;
  double last_ = 0;  // beta / alpha of the iteration before
};

}  // namespace haloheap::comm::detail

#endif
