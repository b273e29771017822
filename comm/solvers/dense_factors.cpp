// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/dense_factors.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace haloheap::comm::detail {

DenseFactors::DenseFactors(std::vector<double> rows, std::size_t size) : rows_(std::move(rows)), size_(size) {
  double largest = 0;
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, std::abs(at(i, i)));
  const double vanished = 1e-12 * largest;
  for (std::size_t j = 0; j < size; ++j) {
    double pivot = at(j, j);
    for (std::size_t k = 0; k < j; ++k) pivot -= at(j, k) * at(j, k) * at(k, k);
    good_ = good_ && pivot > -vanished && std::isfinite(pivot);
    if (pivot <= vanished) pivot = 0;
    rows_[j * size_ + j] = pivot;
    for (std::size_t i = j + 1; i < size; ++i) {
      double value = at(i, j);
      for (std::size_t k = 0; k < j; ++k) value -= at(i, k) * at(j, k) * at(k, k);
      rows_[i * size_ + j] = pivot == 0 ? 0 : value / pivot;
    }
  }
}

std::vector<double> DenseFactors::inverse() const {
  std::vector<double> of_lower(size_ * size_), found(size_ * size_);
  for (std::size_t i = 0; i < size_; ++i) {
    double* const values = &of_lower[i * size_];
    values[i] = 1;
    for (std::size_t k = 0; k < i; ++k) {
      const double* const above = &of_lower[k * size_];
      for (std::size_t j = 0; j <= k; ++j) values[j] -= at(i, k) * above[j];
    }
  }
  for (std::size_t k = 0; k < size_; ++k) {
    if (at(k, k) == 0) continue;
    const double* const values = &of_lower[k * size_];
    for (std::size_t i = 0; i <= k; ++i) {
      const double factor = values[i] / at(k, k);
      for (std::size_t j = 0; j <= i; ++j) found[i * size_ + j] += factor * values[j];
    }
  }
  for (std::size_t i = 0; i < size_; ++i)
    for (std::size_t j = 0; j < i; ++j) found[j * size_ + i] = found[i * size_ + j];
  return found;
}

}  // namespace haloheap::comm::detail
