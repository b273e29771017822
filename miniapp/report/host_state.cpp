// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/host_state.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace haloheap::report {
namespace {

namespace fs = std::filesystem;

/// The first word of a file; nothing where there is no such file or word.
template <class T>
std::optional<T> first_of(const fs::path& path) {
  std::ifstream file(path);
  T value{};
  if (file >> value) return value;
  return std::nullopt;
}

/// Of all cores; virtual machines and containers often have no such files.
std::string clocks(const fs::path& cores) {
  std::set<std::string> governors;
  std::optional<long> low, high;  // kHz
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(cores, error)) {
    const fs::path folder = entry.path() / "cpufreq";
    if (const auto governor = first_of<std::string>(folder / "scaling_governor")) governors.insert(*governor);
    if (const auto min = first_of<long>(folder / "scaling_min_freq"))
      low = std::min(low.value_or(*min), *min);
    if (const auto max = first_of<long>(folder / "scaling_max_freq"))
      high = std::max(high.value_or(*max), *max);
  }
  if (governors.empty() || !low || !high) return "";
  return fmt::format("governor {}, {} to {} MHz", fmt::join(governors, " and "), *low / 1000, *high / 1000);
}

}  // namespace

HostState host_state(const fs::path& root) {
  return {first_of<double>(root / "proc/loadavg"), clocks(root / "sys/devices/system/cpu")};
}

}  // namespace haloheap::report
