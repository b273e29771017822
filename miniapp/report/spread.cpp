// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/spread.hpp>

#include <algorithm>

namespace haloheap::report {

Spread spread_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const std::size_t half = times.size() / 2;
  const double median = times.size() % 2 == 1 ? times[half] : 0.5 * (times[half - 1] + times[half]);
  return {.median = median, .minimum = times.front(), .maximum = times.back()};
}

}  // namespace haloheap::report
