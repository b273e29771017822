// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_MINIAPP_REPORT_SCRATCH_HPP
#define HALOHEAP_UNIT_MINIAPP_REPORT_SCRATCH_HPP

#include <haloheap/core/base/error.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace haloheap::report {

/// An empty folder of this test's own that goes away with it.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "haloheap_report_XXXXXX").string();
    if (!::mkdtemp(name.data())) throw IoError("cannot make " + name);
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The message of the IoError that `action` throws; empty when it throws none.
template <class Action>
std::string io_error_of(Action action) {
  try {
    action();
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

}  // namespace haloheap::report

#endif
