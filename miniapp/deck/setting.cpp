// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/setting.hpp>

#include <fmt/format.h>

namespace haloheap::deck {
namespace {

std::string comment(const Key& key) {
  const std::string allowed = key.allowed();
  if (!allowed.empty()) return fmt::format("  # {} [{}]", key.help, allowed);
  if (!key.unit.empty()) return fmt::format("  # {} [{}]", key.help, key.unit);
  return fmt::format("  # {}", key.help);
}

std::string one_or_list(const std::vector<Value>& values) {
  if (values.size() == 1) return to_toml(values.front());
  std::string out;
  for (const Value& value : values) out += (out.empty() ? "[" : ", ") + to_toml(value);
  return out + "]";
}

}  // namespace

std::string to_string(const Origin& origin) {
  if (origin.line == 0) return origin.source;
  return fmt::format("{}:{}:{}", origin.source, origin.line, origin.column);
}

std::string write_toml(const Schema& schema, const std::function<std::vector<Value>(const Key&)>& values,
                       Comments comments) {
  std::string out;
  for (const Section& section : schema.sections()) {
    if (!section.name().empty()) {
      out += out.empty() ? "" : "\n";
      out += fmt::format("[{}]", section.name());
      if (comments == Comments::help) out += "  # " + section.title();
      out += '\n';
    }
    for (const Key& key : section.keys()) {
      out += fmt::format("{} = {}", key.leaf(), one_or_list(values(key)));
      if (comments == Comments::help) out += comment(key);
      out += '\n';
    }
  }
  return out;
}

}  // namespace haloheap::deck
