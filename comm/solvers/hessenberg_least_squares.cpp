// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/hessenberg_least_squares.hpp>

#include <algorithm>
#include <utility>

namespace haloheap::comm::detail {
namespace {

/// Without what would be too large as a square.
double length(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::hypot(result, value);
  return result;
}

}  // namespace

/// A column with all rotations so far.
auto HessenbergLeastSquares::rotated(Vector column) const -> Vector {
  for (std::size_t i = 0; i < rotations_.size(); ++i) {
    const auto [cosine, sine] = rotations_[i];
    const double upper = column[i], lower = column[i + 1];
    column[i] = cosine * upper + sine * lower;
    column[i + 1] = cosine * lower - sine * upper;
  }
  return column;
}

double HessenbergLeastSquares::residual_with(const Vector& column) const {
  const Vector now = rotated(column);
  const double below = now.back(), pivot = std::hypot(now[columns()], below);
  return pivot == 0 ? residual() : residual() * (std::abs(below) / pivot);
}

bool HessenbergLeastSquares::add(const Vector& column) {
  Vector now = rotated(column);
  const std::size_t last = columns();
  const double pivot = std::hypot(now[last], now[last + 1]);
  const double longest = std::max(longest_, length(column));
  if (!(pivot > vanished_ * longest)) return false;
  longest_ = longest;
  const Rotation rotation{now[last] / pivot, now[last + 1] / pivot};
  rotations_.push_back(rotation);
  right_.push_back(-rotation.sine * right_[last]);
  right_[last] *= rotation.cosine;
  now[last] = pivot;
  now.pop_back();
  upper_.push_back(std::move(now));
  given_.push_back(column);
  return true;
}

auto HessenbergLeastSquares::solution() const -> Vector {
  Vector y(right_.begin(), right_.end() - 1);
  for (std::size_t column = y.size(); column-- > 0;) {
    y[column] /= upper_[column][column];
    for (std::size_t row = 0; row < column; ++row) y[row] -= upper_[column][row] * y[column];
  }
  return y;
}

auto HessenbergLeastSquares::times(const Vector& y) const -> Vector {
  Vector result(columns() + 1);
  for (std::size_t column = 0; column < columns(); ++column)
    for (std::size_t row = 0; row < given_[column].size(); ++row)
      result[row] += given_[column][row] * y[column];
  return result;
}

}  // namespace haloheap::comm::detail
