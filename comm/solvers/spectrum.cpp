// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/spectrum.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace haloheap::comm::detail {
namespace {

/// How many eigenvalues are less than a number: Sturm's sequence.
std::size_t count_below(const std::vector<double>& diagonal, const std::vector<double>& beside,
                        double number) {
  std::size_t count = 0;
  double pivot = 1;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    const double square = i == 0 ? 0 : beside[i - 1] * beside[i - 1];
    pivot = diagonal[i] - number - (i == 0 ? 0 : square / pivot);
    if (pivot == 0) pivot = -1e-300;
    if (pivot < 0) ++count;
  }
  return count;
}

/// The eigenvalue with this number, from 0 on.
double eigenvalue(const std::vector<double>& diagonal, const std::vector<double>& beside, std::size_t number,
                  double low, double high) {
  constexpr int halvings = 100;  // more than a double has digits
  for (int i = 0; i < halvings; ++i) {
    const double middle = low + (high - low) / 2;
    (count_below(diagonal, beside, middle) > number ? high : low) = middle;
  }
  return low + (high - low) / 2;
}

}  // namespace

SpectrumBounds extreme_eigenvalues(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  // Gershgorin's circles.
  double low = diagonal.front(), high = diagonal.front();
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    const double around =
        (i > 0 ? std::abs(beside[i - 1]) : 0) + (i + 1 < diagonal.size() ? std::abs(beside[i]) : 0);
    low = std::min(low, diagonal[i] - around);
    high = std::max(high, diagonal[i] + around);
  }
  return {eigenvalue(diagonal, beside, 0, low, high),
          eigenvalue(diagonal, beside, diagonal.size() - 1, low, high)};
}

SpectrumBounds raised(const SpectrumBounds& bounds, double quotient) {
  constexpr double min_factor = 1.5, room = 1.1;  // the quotient is below the largest of its eigenvalues
  return {bounds.min, std::max(min_factor * bounds.max, std::isfinite(quotient) ? room * quotient : 0)};
}

SpectrumBounds lowered(const SpectrumBounds& bounds, double quotient) {
  constexpr double room = 0.9;
  return {quotient > 0 ? std::min(bounds.min, room * quotient) : bounds.min, bounds.max};
}

double chebyshev_reduction(const SpectrumBounds& bounds, int steps) {
  const double root = std::sqrt(bounds.max / bounds.min), rate = (root - 1) / (root + 1);
  return std::min(1.0, 2 * std::pow(rate, steps));
}

void LanczosNumbers::add(double alpha, double beta) {
  diagonal_.push_back(1 / alpha + last_);
  beside_.push_back(std::sqrt(beta) / alpha);
  last_ = beta / alpha;
}

SpectrumBounds LanczosNumbers::seen() const {
  return extreme_eigenvalues(diagonal_, beside_);
}

SpectrumBounds LanczosNumbers::bounds() const {
  // As TeaLeaf has them.
  constexpr double lower = 0.95, higher = 1.05;
  const SpectrumBounds found = seen();
  return {lower * found.min, higher * found.max};
}

}  // namespace haloheap::comm::detail
