// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPORT_HOST_STATE_HPP
#define HALOHEAP_MINIAPP_REPORT_HOST_STATE_HPP

#include <filesystem>
#include <optional>
#include <string>

namespace haloheap::report {

/// How busy a host is and how fast its cores may run, as far as the system tells.
struct HostState {
  std::optional<double> load = {};  ///< processes that ran or waited for a core, mean of the last minute
  std::string clocks = {};          ///< "governor performance, 1500 to 3700 MHz"; empty: unknown
};

/// Of this host, now. Its files are below `root`/proc and `root`/sys.
HostState host_state(const std::filesystem::path& root = "/");

}  // namespace haloheap::report

#endif
