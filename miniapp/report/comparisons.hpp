// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_COMPARISONS_HPP
#define HALOHEAP_MINIAPP_REPORT_COMPARISONS_HPP

#include <haloheap/miniapp/report/result.hpp>

#include <string>
#include <vector>

namespace haloheap::report {

/// Adds to the points of a problem what compares them with their references, as far as these are among the
/// points. `quantities` are the problem's.
void fill_comparisons(std::vector<Point>& points, const std::string& problem, const QuantityList& quantities);

/// The time by which points of a problem are ranked, in its unit; nothing if the problem has none.
std::optional<double> merit_of(const Point& point);

}  // namespace haloheap::report

#endif
