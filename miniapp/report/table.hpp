// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_TABLE_HPP
#define HALOHEAP_MINIAPP_REPORT_TABLE_HPP

#include <haloheap/miniapp/report/result.hpp>

#include <optional>
#include <string>
#include <vector>

namespace haloheap::report {

struct Column {
  std::string title;
  std::vector<std::string> cells;  ///< as many as the table has rows
  bool right_aligned = true;
};

using Table = std::vector<Column>;

/// Columns two spaces apart under a rule; no trailing spaces; every line ends in "\n".
std::string to_text(const Table& table);

/// The same as a Markdown table.
std::string to_markdown(const Table& table);

/// One row a point: the swept keys that vary, then median time and, where there is any, spread, GCells/s,
/// GB/s, time of an exchange, share of copy, speed-up, hidden share, last residual and verification.
Table result_table(const Report& report);

/// One row for each point that has phases, in seconds; nothing when none has.
std::optional<Table> phase_table(const Report& report);

/// One row for each point that has the terms of its overlap; nothing when none has.
std::optional<Table> overlap_table(const Report& report);

/// The points' notes, each once, a line each: "note (halo.depth=4): ..." where not all points have it.
std::string notes_text(const Report& report);

}  // namespace haloheap::report

#endif
