// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/residual.hpp>

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace haloheap::stencil {
namespace {

// Smaller quanta would lead to subnormal numbers, where the last bit of a square is not far below the
// quantum.
constexpr int smallest_exponent = -1000;
constexpr int smallest_bound = -900, largest_bound = 900;
constexpr grid::Index max_terms = grid::Index{1} << 45;

/// Largest factor by which a step can multiply a field, in the largest magnitude or, for mirror-symmetric
/// stencils, in the root of the mean square (largest eigenvalue).
double amplification(const Stencil& stencil) {
  double magnitudes = 0;
  for (const double c : stencil.coefficients) magnitudes += std::abs(c);
  if (magnitudes <= 1 || !stencil.symmetric()) return magnitudes;
  constexpr int samples = 16;
  const auto at = [](int i) { return std::numbers::pi * i / samples; };
  double largest = 0;
  for (int z = 0; z <= (stencil.dims == 3 ? samples : 0); ++z)
    for (int y = 0; y <= samples; ++y)
      for (int x = 0; x <= samples; ++x)
        largest = std::max(largest, std::abs(stencil.eigenvalue({at(x), at(y), at(z)})));
  return largest;
}

}  // namespace

// With q_i the exponent of quantum i, n that of the terms and b that of the bound:
//   first parts add up to at most 2^(n + b) + 2^n 2^q_0 / 2 <= 2^51 quanta for q_0 = n + b - 50 and n <= 45;
//   what is left of a square is at most 2^q_i / 2, so that the next parts add up to at most 2^50 quanta of
//   2^q_i+1 for q_i+1 = n + q_i - 51, in magnitude and rounding included 2^51.
// So all partial sums, of pivots too, are exact.
ResidualScale ResidualScale::make(double bound, grid::Index terms) {
  int exponent = 0;
  std::frexp(bound, &exponent);  // bound < 2^exponent
  if (!(bound > 0) || std::isinf(bound) || exponent < smallest_bound || exponent > largest_bound)
    throw UsageError(fmt::format("the bound of the squared residual is {}", bound),
                     "the residual norm cannot be summed exactly",
                     fmt::format("scale the field so that the bound is within 2^{} and 2^{}", smallest_bound,
                                 largest_bound));
  if (terms < 1 || terms > max_terms)
    throw UsageError(fmt::format("a residual norm of {} terms", terms), "it cannot be summed exactly",
                     fmt::format("use 1 to {} cells", max_terms));
  const int log_terms = std::bit_width(static_cast<std::uint64_t>(terms - 1));  // terms <= 2^log_terms
  ResidualScale scale;
  int quantum = log_terms + exponent - 50;
  scale.limit = std::ldexp(1.0, quantum + 51);
  for (double& pivot : scale.pivot) {
    pivot = std::ldexp(0x1.8p52, quantum);
    quantum = std::max(log_terms + quantum - 51, smallest_exponent);
  }
  return scale;
}

double ResidualScale::value(const ResidualSum& sum) const {
  // First parts are not negative, so that their sum does not fall again once it was too large to be exact.
  if (!(sum.part[0] <= limit)) return std::numeric_limits<double>::quiet_NaN();
  return sum.part[0] + (sum.part[1] + sum.part[2]);
}

// A difference is at most twice the largest value, which does not grow beyond the initial and the boundary
// values; the mean square of differences likewise at most four times that of the values. Another factor of
// two for round-off and for what fixed values outside do to a mean square; more is seen by
// ResidualScale::value.
double residual_bound(const Stencil& stencil, const grid::Boundary& boundary, double largest_initial) {
  const double growth = amplification(stencil);
  if (!(growth <= 1 + 1e-6))
    throw UsageError(fmt::format("one step of the stencil can multiply values by {:.6g}", growth),
                     "the residual has no bound, which its exact sum needs",
                     "use a smaller diffusion coefficient, or switch the residual off");
  double largest = std::abs(largest_initial);
  for (int dim = 0; dim < stencil.dims; ++dim)
    for (const grid::BoundaryKind kind : {boundary.low[dim], boundary.high[dim]})
      if (kind == grid::BoundaryKind::dirichlet) largest = std::max(largest, std::abs(boundary.value));
  const double difference = 2 * 2 * largest;
  return largest == 0 ? 1.0 : difference * difference;  // nothing changes: any bound will do
}

}  // namespace haloheap::stencil
