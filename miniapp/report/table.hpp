// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_TABLE_HPP
#define HALOHEAP_MINIAPP_REPORT_TABLE_HPP

#include <haloheap/miniapp/report/result.hpp>

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

/// One row a point: the swept keys that vary, then what quantities show, and the verification. A column that
/// no point fills is left out.
Table result_table(const Report& report);

/// Tables of branches that stand apart ("phases"), each with the points that have one.
std::vector<Table> tables_apart(const Report& report);

/// The points' notes, each once, a line each: "note (halo.depth=4): ..." where not all points have it.
std::string notes_text(const Report& report);

}  // namespace haloheap::report

#endif
