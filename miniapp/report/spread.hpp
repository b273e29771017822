// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_SPREAD_HPP
#define HALOHEAP_MINIAPP_REPORT_SPREAD_HPP

#include <functional>
#include <utility>
#include <vector>

namespace haloheap::report {

/// Seconds over the repetitions of one point.
struct Spread {
  double median = 0;
  double minimum = 0;
  double maximum = 0;
};

/// Of at least one time; the median of an even number is the mean of the two in the middle.
Spread spread_of(std::vector<double> times);

/// Of one part of several times: a member, or a function of them.
template <class Times, class Part>
Spread spread_of(const std::vector<Times>& all, Part part) {
  std::vector<double> times;
  for (const Times& one : all) times.push_back(std::invoke(part, one));
  return spread_of(std::move(times));
}

// What samples are summed up as, of which there is one at least.

double mean(const std::vector<double>& samples);

/// Standard deviation, estimated from the samples (divided by their number less one); 0 of one sample.
double deviation(const std::vector<double>& samples);

/// `percent` from 0 to 100; between two samples by linear interpolation, as numpy's default.
double percentile(std::vector<double> samples, double percent);

}  // namespace haloheap::report

#endif
