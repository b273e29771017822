// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_JSON_WRITER_HPP
#define HALOHEAP_MINIAPP_REPORT_JSON_WRITER_HPP

#include <haloheap/miniapp/report/result.hpp>

#include <filesystem>
#include <map>
#include <string>

namespace haloheap::report {

/// The report as docs/reference/results.schema.json describes it, a tree in which each quantity has its
/// place. Absent values are left out; a number that is not finite becomes null; bytes that are not UTF-8
/// (host names, command lines) are replaced by U+FFFD.
std::string to_json(const Report& report);

/// The same of a report that grows: each point becomes text once.
class JsonDocument {
 public:
  void add(const Point& point);

  /// The document with the points that were added in the place of the report's.
  std::string text(const Report& report) const;

 private:
  std::string points_;
  std::map<std::string, QuantityList> quantities_;  // that were measured, by problem
};

/// Writes results.json. Throws IoError.
void write_json(const std::filesystem::path& path, const Report& report);

}  // namespace haloheap::report

#endif
