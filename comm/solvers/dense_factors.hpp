// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_DENSE_FACTORS_HPP
#define HALOHEAP_COMM_SOLVERS_DENSE_FACTORS_HPP

#include <cstddef>
#include <vector>

namespace haloheap::comm::detail {

/// L D L' of a small symmetric matrix that has no negative eigenvalues, on the host.
class DenseFactors {
 public:
  DenseFactors() = default;
  /// @param rows of the matrix, one after the other; only the lower triangle is read
  explicit DenseFactors(std::vector<double> rows, std::size_t size);

  /// Whether no pivot was negative, but for rounding, and all are numbers.
  bool good() const { return good_; }
  /// Unknowns.
  std::size_t size() const { return size_; }
  /// Rows of the inverse, one after the other; the same bits on both sides of the diagonal. Where a pivot has
  /// vanished, as of a matrix that constants are in the kernel of, the unknown is 0.
  std::vector<double> inverse() const;

 private:
  double at(std::size_t row, std::size_t column) const { return rows_[row * size_ + column]; }

  std::vector<double> rows_;
  std::size_t size_ = 0;
  bool good_ = true;
};

}  // namespace haloheap::comm::detail

#endif
