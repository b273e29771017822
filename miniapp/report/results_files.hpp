// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_RESULTS_FILES_HPP
#define HALOHEAP_MINIAPP_REPORT_RESULTS_FILES_HPP

#include <haloheap/miniapp/report/csv_writer.hpp>
#include <haloheap/miniapp/report/json_writer.hpp>

#include <filesystem>

namespace haloheap::report {

/// results.json and results.csv of a run. They are whole at any time, and hold what had finished when they
/// were written last.
class ResultsFiles {
 public:
  explicit ResultsFiles(const std::filesystem::path& folder)
      : json_(folder / "results.json"), csv_(folder / "results.csv") {}

  /// Writes both after a point has finished, which is the last of the report. The points before it must be
  /// those of the calls before, unchanged. Throws IoError.
  void add_last(const Report& report);

  /// Writes both anew, at the end of a run: points may have changed. Throws IoError.
  void write(const Report& report) const;

  const std::filesystem::path& json() const { return json_; }

 private:
  std::filesystem::path json_, csv_;
  JsonDocument json_document_;
  CsvDocument csv_document_;
};

}  // namespace haloheap::report

#endif
