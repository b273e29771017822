// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_CSV_WRITER_HPP
#define HALOHEAP_MINIAPP_REPORT_CSV_WRITER_HPP

#include <haloheap/miniapp/report/result.hpp>

#include <filesystem>
#include <string>

namespace haloheap::report {

/// One row a point: every deck key (in the order of first appearance), then the results, under the names of
/// results.json. RFC 4180 quoting, lines end in "\n"; an absent value is an empty cell.
std::string to_csv(const Report& report);

/// Writes results.csv. Throws IoError.
void write_csv(const std::filesystem::path& path, const Report& report);

}  // namespace haloheap::report

#endif
