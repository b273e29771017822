// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_LEAST_SQUARES_HPP
#define HALOHEAP_CORE_BASE_LEAST_SQUARES_HPP

#include <vector>

namespace haloheap::base {

/// Says that the sum of coefficient[i] * terms[i] was measured as `value`.
struct Observation {
  std::vector<double> terms;
  double value = 0;
  double scale = value;  ///< an error counts relative to it; positive
};

struct LinearFit {
  std::vector<double> coefficients;  ///< one a term, none negative
  double residual = 0;               ///< root of the mean squared error, each relative to its scale
};

/// The coefficients of least relative error of which none is negative: costs of a machine, of which there are
/// few. Errors beyond 2 % count linearly, not squared, so that one disturbed measurement does not bend the
/// rest (Huber's estimator). Of several that are as good, those with the fewest terms; 0 where nothing was
/// observed.
/// @throws InternalError for more than 8 terms, or rows of different lengths
LinearFit fit_costs(const std::vector<Observation>& observations);

}  // namespace haloheap::base

#endif
