// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_LAYOUT_HPP
#define HALOHEAP_MINIAPP_REPORT_LAYOUT_HPP

#include <haloheap/miniapp/report/result.hpp>

#include <string>
#include <vector>

namespace haloheap::report {

/// What stands above the points of a file: where it comes from, and how far the run came.
const Quantities<Report>& report_quantities();

/// What a point of any problem has before and behind what its problem measured.
const Quantities<Point>& point_head();
const Quantities<Point>& point_tail();

/// All values of a point, in the order of all outputs.
std::vector<Measurement> values_of(const Point& point);

/// What a problem measures.
struct ProblemQuantities {
  std::string problem;
  QuantityList quantities;
};

/// The JSON schema of results.json, which is docs/reference/results.schema.json.
std::string results_schema(const std::vector<ProblemQuantities>& problems);

/// All quantities as Markdown, which is docs/reference/results_reference.md.
std::string results_reference(const std::vector<ProblemQuantities>& problems);

}  // namespace haloheap::report

#endif
