// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_CSV_WRITER_HPP
#define HALOHEAP_MINIAPP_REPORT_CSV_WRITER_HPP

#include <haloheap/miniapp/report/result.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace haloheap::report {

/// One row a point: the deck's keys, then the results, under the names of results.json, each in the order of
/// first appearance; what no point has has no column. RFC 4180 quoting, lines end in "\n"; an absent value is
/// an empty cell.
std::string to_csv(const Report& report);

/// The same of a report that grows: each point becomes text once.
class CsvDocument {
 public:
  void add(const Point& point);

  /// The document with the points that were added.
  std::string text() const;

 private:
  /// Cells under titles that points bring along; a point has none under what came later.
  class Columns {
   public:
    using Row = std::vector<std::string>;
    void set(Row& row, std::size_t expected, const std::string& title, const std::string& cell);
    void append_titles(std::string& line) const;
    void append(std::string& line, const Row& row) const;

   private:
    std::vector<std::string> titles_;
  };
  struct Line {
    Columns::Row deck;
    Columns::Row results;
  };

  Columns deck_, results_;
  std::vector<Line> lines_;
};

/// Writes results.csv. Throws IoError.
void write_csv(const std::filesystem::path& path, const Report& report);

}  // namespace haloheap::report

#endif
