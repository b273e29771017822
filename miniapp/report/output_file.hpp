// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_OUTPUT_FILE_HPP
#define HALOHEAP_MINIAPP_REPORT_OUTPUT_FILE_HPP

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string_view>

namespace haloheap::report {

/// Makes the folder if need be and proves that a file can be written in it. Call it on one rank, before the
/// work. Throws IoError.
void prepare_output_folder(const std::filesystem::path& folder);

/// Lets `write` fill a file of a temporary name of this process's own (`path` + ".NUMBER-RANDOM.part") and
/// renames it to `path`, so that a killed run never leaves half a file under the final name, and runs that
/// share a folder do not write into each other's. Throws IoError, and then leaves neither.
void write_whole_file(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);
void write_whole_file(const std::filesystem::path& path, std::string_view content);

}  // namespace haloheap::report

#endif
