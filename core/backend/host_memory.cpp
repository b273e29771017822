// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/host_memory.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

namespace haloheap::backend {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_text(const fs::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The number at the start of `text` after blanks; nothing for "max".
std::optional<std::size_t> parse_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

/// The number on the line of `text` that starts with `key`.
std::optional<std::size_t> find_number(const std::string& text, std::string_view key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(key)) return parse_number(std::string_view(line).substr(key.size()));
  }
  return std::nullopt;
}

/// The files of one version of the control groups' memory controller.
struct CgroupFiles {
  const char* limit;
  const char* usage;
  const char* reclaimable;  ///< key in memory.stat: page cache that the kernel drops when memory is needed
};
constexpr CgroupFiles cgroup_v1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "};
constexpr CgroupFiles cgroup_v2{"memory.max", "memory.current", "inactive_file "};

void apply_limit(MemoryAmount& amount, const fs::path& group, const CgroupFiles& files) {
  const auto limit = parse_number(read_text(group / files.limit).value_or(""));
  if (!limit || *limit >= amount.total) return;
  const std::size_t usage = parse_number(read_text(group / files.usage).value_or("")).value_or(0);
  const std::size_t cache =
      find_number(read_text(group / "memory.stat").value_or(""), files.reclaimable).value_or(0);
  const std::size_t held = usage - std::min(cache, usage);
  amount.total = *limit;
  amount.free = std::min(amount.free, *limit - std::min(held, *limit));
}

/// A limit of any ancestor binds too. A group that is not visible here (a container's mount) is skipped.
void apply_limits(MemoryAmount& amount, const fs::path& mount, const std::string& group,
                  const CgroupFiles& files) {
  for (fs::path path = fs::path(group).relative_path();; path = path.parent_path()) {
    apply_limit(amount, mount / path, files);
    if (path.empty()) return;
  }
}

}  // namespace

MemoryAmount host_memory(const fs::path& root) {
  const std::string meminfo = read_text(root / "proc/meminfo").value_or("");
  const auto total = find_number(meminfo, "MemTotal:");
  const auto available = find_number(meminfo, "MemAvailable:");
  if (!total || !available) {
    throw CapabilityError(
        "the kernel does not say how much memory is free (no MemAvailable in /proc/meminfo)",
        "haloheap cannot check memory before taking it", "run on Linux with /proc mounted");
  }
  MemoryAmount amount{*available * 1024, *total * 1024};
  std::istringstream lines(read_text(root / "proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(lines, line);) {  // hierarchy-id:controllers:path
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string group = line.substr(second + 1);
    if (controllers == ",,") apply_limits(amount, root / "sys/fs/cgroup", group, cgroup_v2);
    if (controllers.find(",memory,") != std::string::npos) {
      apply_limits(amount, root / "sys/fs/cgroup/memory", group, cgroup_v1);
    }
  }
  return amount;
}

std::string_view to_string(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::device:
      return "device";
    case MemoryKind::pinned:
      return "pinned";
    case MemoryKind::managed:
      return "managed";
    case MemoryKind::pageable:
      return "pageable";
    case MemoryKind::write_combined:
      return "write_combined";
    case MemoryKind::registered:
      return "registered";
    case MemoryKind::shared:
      return "shared pinned";
  }
  return "unknown";
}

void throw_out_of_memory(const MemoryRequest& request, const MemoryAmount& amount, std::string_view place) {
  throw OutOfMemory(request.bytes,
                    fmt::format("out of {} memory: '{}' needs {} bytes, {} has {} free of {}",
                                request.memory.empty() ? to_string(request.kind) : request.memory,
                                request.label, request.bytes, place, amount.free, amount.total),
                    "the block was not allocated",
                    "use a smaller problem, more ranks on more nodes, or another memory resource");
}

void require_free(const MemoryRequest& request, const MemoryAmount& amount, std::string_view place) {
  if (request.bytes > amount.free) throw_out_of_memory(request, amount, place);
}

void* allocate_pageable(const MemoryRequest& request) {
  if (request.bytes >= checked_bytes) require_free(request, host_memory(), "the host");
  void* data = nullptr;
  const std::size_t alignment = std::max(request.alignment, sizeof(void*));
  if (posix_memalign(&data, alignment, std::max<std::size_t>(request.bytes, 1)) != 0) {
    throw_out_of_memory(request, host_memory(), "the host");
  }
  return data;
}

void deallocate_pageable(void* data) noexcept {
  std::free(data);
}

}  // namespace haloheap::backend
