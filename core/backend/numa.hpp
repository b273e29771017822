// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_NUMA_HPP
#define HALOHEAP_CORE_BACKEND_NUMA_HPP

#include <filesystem>
#include <string>
#include <vector>

/// CPUs and memory that are near a device. Linux only; elsewhere nothing is known.
namespace haloheap::backend {

/// The NUMA node that the current device is attached to; -1 when nobody says, or when it is emulated.
int device_numa_node();

/// The CPUs of a node, none if there is no such node. `root` is where /sys is mounted.
std::vector<int> cpus_of_node(int node, const std::filesystem::path& root = "/");

/// CPU numbers as the kernel writes them: "0-3,8". \throws UsageError for other text
std::vector<int> parse_cpu_list(const std::string& text);

/// While this lives, the calling thread and those that it starts run on the CPUs of a node, as far as the
/// process may, and so the pages that it touches first are of that node's memory.
class NodeBinding {
 public:
  explicit NodeBinding(int node, const std::filesystem::path& root = "/");
  ~NodeBinding();
  NodeBinding(const NodeBinding&) = delete;
  NodeBinding& operator=(const NodeBinding&) = delete;

  bool bound() const { return !before_.empty(); }
  /// "bound to the 24 CPUs of NUMA node 0", or why not.
  const std::string& text() const { return text_; }

 private:
  std::vector<int> before_;  // CPUs to go back to; empty: nothing was changed
  std::string text_;
};

}  // namespace haloheap::backend

#endif
