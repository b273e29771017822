// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_TIMING_HPP
#define HALOHEAP_MINIAPP_REPORT_TIMING_HPP

#include <haloheap/miniapp/report/quantities.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <cstdint>
#include <optional>

namespace haloheap::report {

/// How long the runs of a point took.
struct Timing {
  Spread wall;                         ///< seconds of the slowest rank
  std::optional<double> warm_up = {};  ///< seconds before the first timed repetition, where that was timed
};

/// In the files only, for problems whose tables show other times.
const Quantities<Timing>& timings();
/// With a column in the table.
const Quantities<Timing>& shown_timings();

/// What a point took of the machine's memory.
struct MemoryUse {
  std::size_t bytes = 0;  ///< of a rank, the largest over ranks
};

const Quantities<MemoryUse>& memory_use();

}  // namespace haloheap::report

#endif
