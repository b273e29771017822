// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_DERIVE_HPP
#define HALOHEAP_MINIAPP_REPORT_DERIVE_HPP

#include <haloheap/miniapp/report/result.hpp>

#include <vector>

namespace haloheap::report {

/// Sets `speedup` of each point to the median time of its reference over its own. The reference is the point
/// of the same sweep with halo.exchange sync, halo.overlap none, halo.depth 1 that agrees in every other deck
/// key. A point without a reference keeps no speed-up, nor does one that computed nothing.
void fill_speedups(std::vector<Point>& points);

/// Sets `speedup` of each point with a figure that is compared: that figure of the point with allocator.name
/// = native that agrees in every other deck key, over its own. The figure is a time, one a point at most.
void fill_allocator_speedups(std::vector<Point>& points);

/// Adds the figure "normalised" to each point on smart containers: its median time over that of the
/// reference, the point with policy paper and peer copies, or else region, that agrees in every other deck
/// key. (Figures 6 and 7 of Dastgeer and Kessler 2016.) A point without a reference gets none.
void fill_normalised_times(std::vector<Point>& points);

/// Sets `hidden_share` of each point that overlaps: (T_none - T) / (message + desynchronisation + unpack),
/// where T are median times and the divisor is taken from the partner that differs only in halo.overlap =
/// none (seed 001, section 5.5, Tables 5.1 and 5.2). Negative where the overlap costs time. Without a
/// partner, or without the partner's phases, the point keeps none.
void fill_hidden_shares(std::vector<Point>& points);

}  // namespace haloheap::report

#endif
