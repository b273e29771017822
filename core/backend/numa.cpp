// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/numa.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <sched.h>

namespace haloheap::backend {
namespace {

constexpr int max_cpus = 1 << 14;

/// The mask of the calling thread; none if the system does not say.
std::vector<int> allowed_cpus() {
  cpu_set_t* const set = CPU_ALLOC(max_cpus);
  const std::size_t bytes = CPU_ALLOC_SIZE(max_cpus);
  std::vector<int> cpus;
  if (sched_getaffinity(0, bytes, set) == 0)
    for (int cpu = 0; cpu < max_cpus; ++cpu)
      if (CPU_ISSET_S(cpu, bytes, set)) cpus.push_back(cpu);
  CPU_FREE(set);
  return cpus;
}

bool allow_cpus(const std::vector<int>& cpus) {
  cpu_set_t* const set = CPU_ALLOC(max_cpus);
  const std::size_t bytes = CPU_ALLOC_SIZE(max_cpus);
  CPU_ZERO_S(bytes, set);
  for (const int cpu : cpus) CPU_SET_S(cpu, bytes, set);
  const bool done = sched_setaffinity(0, bytes, set) == 0;
  CPU_FREE(set);
  return done;
}

int parse_number(const std::string& text, std::string_view part) {
  int number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (error != std::errc() || end != part.data() + part.size() || number < 0 || number >= max_cpus)
    throw UsageError(fmt::format("'{}' is not a list of CPUs", text), "", "write it as 0-3,8");
  return number;
}

}  // namespace

std::vector<int> parse_cpu_list(const std::string& text) {
  std::vector<int> cpus;
  std::string_view left = text;
  while (!left.empty() && (left.back() == '\n' || left.back() == ' ')) left.remove_suffix(1);
  while (!left.empty()) {
    const std::string_view range = left.substr(0, left.find(','));
    left.remove_prefix(std::min(left.size(), range.size() + 1));
    const std::size_t dash = range.find('-');
    const int first = parse_number(text, range.substr(0, dash));
    const int last = dash == std::string_view::npos ? first : parse_number(text, range.substr(dash + 1));
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

std::vector<int> cpus_of_node(int node, const std::filesystem::path& root) {
  std::ifstream file(root / "sys/devices/system/node" / fmt::format("node{}", node) / "cpulist");
  std::string line;
  return std::getline(file, line) ? parse_cpu_list(line) : std::vector<int>();
}

NodeBinding::NodeBinding(int node, const std::filesystem::path& root) {
  if (node < 0) {
    text_ = "not bound to a NUMA node: the system does not say which one is near the device";
    return;
  }
  const std::vector<int> before = allowed_cpus();
  std::vector<int> near, cpus = cpus_of_node(node, root);
  std::sort(cpus.begin(), cpus.end());
  std::set_intersection(cpus.begin(), cpus.end(), before.begin(), before.end(), std::back_inserter(near));
  if (near.empty() || !allow_cpus(near)) {
    text_ = fmt::format("not bound to NUMA node {}: the process may run on none of its CPUs", node);
    return;
  }
  before_ = before;
  text_ = fmt::format("bound to {} CPU{} of NUMA node {}, near the device", near.size(),
                      near.size() == 1 ? "" : "s", node);
}

NodeBinding::~NodeBinding() {
  if (bound()) allow_cpus(before_);
}

}  // namespace haloheap::backend
