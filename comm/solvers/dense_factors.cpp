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

void DenseFactors::solve(std::vector<double>& values) const {
  for (std::size_t i = 0; i < size_; ++i)
    for (std::size_t k = 0; k < i; ++k) values[i] -= at(i, k) * values[k];
  for (std::size_t i = 0; i < size_; ++i) values[i] = at(i, i) == 0 ? 0 : values[i] / at(i, i);
  for (std::size_t i = size_; i-- > 0;)
    for (std::size_t k = i + 1; k < size_; ++k) values[i] -= at(k, i) * values[k];
}

}  // namespace haloheap::comm::detail
