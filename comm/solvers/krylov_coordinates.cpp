// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/krylov_coordinates.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace haloheap::comm::detail {
namespace {

/// By what r'r may fall within one basis: what is left then has still half of its digits.
constexpr double smallest_share = 1e-6;
/// Of a vector's square, what is left beside those before it where it counts as another one.
constexpr double independent_share = 1e-10;

}  // namespace

std::vector<BasisStep> chebyshev_basis(const SpectrumBounds& bounds, int steps) {
  const double middle = (bounds.max + bounds.min) / 2;
  const double half =
      std::max((bounds.max - bounds.min) / 2, middle / 16);  // of all the same eigenvalue, too
  std::vector<BasisStep> basis(static_cast<std::size_t>(steps), {middle, half / 2, half / 2});
  basis.front() = {middle, 0, half};
  return basis;
}

KrylovCoordinates::KrylovCoordinates(std::vector<BasisStep> basis, Vector gram)
    : basis_(std::move(basis)), gram_(std::move(gram)) {
  const auto count = static_cast<std::size_t>(vectors(static_cast<int>(basis_.size())));
  x_.resize(count);
  r_.resize(count);
  p_.resize(count);
  p_.front() = 1;
  r_[basis_.size() + 1] = 1;
  first_ = rr_ = product(r_, r_);
  // Iteration n needs n + 1 vectors from the direction and n from the residual.
  const std::size_t steps = basis_.size();
  usable_ = std::max(1, std::min(independent(0, steps + 1) - 1, independent(steps + 1, steps)));
}

/// How many of some vectors do not depend on those of them before, by a Cholesky decomposition.
int KrylovCoordinates::independent(std::size_t first, std::size_t count) const {
  Vector lower(count * count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = gram_[(first + i) * x_.size() + first + j];
      const double whole = sum;
      for (std::size_t k = 0; k < j; ++k) sum -= lower[i * count + k] * lower[j * count + k];
      if (i == j && !(sum > independent_share * whole)) return static_cast<int>(i);
      lower[i * count + j] = i == j ? std::sqrt(sum) : sum / lower[j * count + j];
    }
  return static_cast<int>(count);
}

/// Coordinates of A V c. The last vector of each kind has no next one, and c none of it.
auto KrylovCoordinates::applied(const Vector& to) const -> Vector {
  Vector result(to.size());
  const std::size_t steps = basis_.size();
  const auto apply = [&](std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const double c = to[first + i];
      result[first + i + 1] += basis_[i].scale * c;
      result[first + i] += basis_[i].shift * c;
      if (i > 0) result[first + i - 1] += basis_[i].back * c;
    }
  };
  apply(0, steps);
  apply(steps + 1, steps - 1);
  return result;
}

double KrylovCoordinates::product(const Vector& one, const Vector& other) const {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    double row = 0;
    for (std::size_t j = 0; j < other.size(); ++j) row += gram_[i * other.size() + j] * other[j];
    sum += one[i] * row;
  }
  return sum;
}

double KrylovCoordinates::growth() const {
  double largest = 0;
  const std::size_t count = x_.size(), residual = basis_.size() + 1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i < residual ? 0 : residual;
    largest = std::max(largest, gram_[i * count + i] / gram_[first * count + first]);
  }
  return std::sqrt(largest);
}

double KrylovCoordinates::quotient() const {
  Vector last(x_.size());
  last[basis_.size() - 1] = 1;
  return product(last, applied(last)) / product(last, last);
}

bool KrylovCoordinates::iterate() {
  const Vector w = applied(p_);
  const double curvature = product(p_, w);
  if (!(curvature > 0)) return false;
  // p'r is r'r and r'w, with the next r, is minus p'w times what it has become, but for rounding: written so,
  // an iteration puts right what is wrong with a direction.
  alpha_ = product(p_, r_) / curvature;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    x_[i] += alpha_ * p_[i];
    r_[i] -= alpha_ * w[i];
  }
  rr_ = std::max(0.0, product(r_, r_));
  beta_ = -product(r_, w) / curvature;
  for (std::size_t i = 0; i < p_.size(); ++i) p_[i] = r_[i] + beta_ * p_[i];
  ++made_;
  return true;
}

double KrylovCoordinates::direction_norm() const {
  return std::sqrt(std::max(0.0, product(p_, p_)));
}

bool KrylovCoordinates::can_go_on() const {
  return made_ < usable_ && rr_ > smallest_share * first_;
}

}  // namespace haloheap::comm::detail
