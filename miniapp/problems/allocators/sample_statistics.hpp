// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_SAMPLE_STATISTICS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_SAMPLE_STATISTICS_HPP

#include <vector>

/// What repetitions are summed up as. There must be a sample at least.
namespace haloheap::samples {

double mean(const std::vector<double>& samples);

/// Standard deviation, estimated from the samples (divided by their number less one); 0 of one sample.
double deviation(const std::vector<double>& samples);

/// `percent` from 0 to 100; between two samples by linear interpolation, as numpy's default.
double percentile(std::vector<double> samples, double percent);

}  // namespace haloheap::samples

#endif
