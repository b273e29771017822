// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_SPREAD_HPP
#define HALOHEAP_MINIAPP_REPORT_SPREAD_HPP

#include <haloheap/miniapp/report/result.hpp>

#include <vector>

namespace haloheap::report {

/// Of at least one time; the median of an even number is the mean of the two in the middle.
Spread spread_of(std::vector<double> times);

}  // namespace haloheap::report

#endif
