// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/output_file.hpp>
#include <haloheap/miniapp/report/results_files.hpp>

namespace haloheap::report {

void ResultsFiles::add_last(const Report& report) {
  json_document_.add(report.points.back());
  csv_document_.add(report.points.back());
  write_whole_file(json_, json_document_.text(report));
  write_whole_file(csv_, csv_document_.text());
}

void ResultsFiles::write(const Report& report) const {
  write_json(json_, report);
  write_csv(csv_, report);
}

}  // namespace haloheap::report
