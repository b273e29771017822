// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/report/output_file.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <system_error>
#include <unistd.h>

namespace haloheap::report {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& reason) {
  throw IoError(fmt::format("cannot use output folder '{}': {}", folder.string(), reason),
                "no result could be written, so nothing was run",
                "name a folder that can be created and written in, for example output.folder=results");
}

[[noreturn]] void refuse_file(const fs::path& path, const std::string& reason) {
  throw IoError(fmt::format("cannot write '{}': {}", path.string(), reason),
                "the file was not written; what stood there before is unchanged",
                "check the free space and the permissions of the folder, or name another output folder");
}

/// Processes of other machines, or of other containers, may have this one's number.
fs::path name_of_its_own(const fs::path& path) {
  static const unsigned drawn = std::random_device{}();
  return path.string() + fmt::format(".{}-{:08x}.part", ::getpid(), drawn);
}

}  // namespace

void prepare_output_folder(const fs::path& folder) {
  if (folder.empty()) refuse_folder(folder, "the name is empty");
  std::error_code error;
  fs::create_directories(folder, error);
  std::error_code status_error;  // of a name too long, or of links in a loop
  if (!fs::is_directory(folder, status_error)) {
    refuse_folder(folder, fs::exists(folder, status_error)
                              ? "it is not a folder"
                              : "it cannot be created: " + (error ? error : status_error).message());
  }
  // Permission bits say nothing about root or read-only mounts: only a real write proves it.
  const fs::path probe = folder / fmt::format(".haloheap-probe-{}", ::getpid());
  errno = 0;
  std::ofstream file(probe);
  file << "probe" << std::flush;
  const bool written = file.good();
  const std::string reason = std::strerror(errno);
  file.close();
  fs::remove(probe, error);
  if (!written) refuse_folder(folder, "no file can be written in it: " + reason);
}

void write_whole_file(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  const fs::path part = name_of_its_own(path);
  errno = 0;
  std::ofstream file(part, std::ios::binary | std::ios::trunc);
  if (!file) refuse_file(path, std::strerror(errno));
  std::error_code error;
  try {
    write(file);
  } catch (...) {
    fs::remove(part, error);
    throw;
  }
  file.close();
  if (!file) {
    const std::string reason = errno != 0 ? std::strerror(errno) : "the write failed";
    fs::remove(part, error);
    refuse_file(path, reason);
  }
  std::error_code rename_error;
  fs::rename(part, path, rename_error);
  if (rename_error) {
    fs::remove(part, error);
    refuse_file(path, rename_error.message());
  }
}

void write_whole_file(const fs::path& path, std::string_view content) {
  write_whole_file(path, [&](std::ostream& out) {
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
  });
}

}  // namespace haloheap::report
