// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/operation.hpp>

#include <fmt/format.h>

namespace haloheap::coherence::test {
namespace {

std::string code(Memory memory) {
  return memory == host ? "host" : fmt::format("device({})", device_of(memory));
}

std::string code(const Rect& rect) {
  if (rect.row == 0 && rect.row_end == 1) return fmt::format("range({}, {})", rect.column, rect.column_end);
  return fmt::format("Rect{{{}, {}, {}, {}}}", rect.row, rect.row_end, rect.column, rect.column_end);
}

std::string code(const detail::Request& request) {
  return fmt::format("{{{}, {}, {}, Access::{}}}", request.object, code(request.rect), code(request.memory),
                     to_string(request.access));
}

const char* simple_name(Operation::Kind kind) {
  switch (kind) {
    case Operation::Kind::replace:
      return "replace";
    case Operation::Kind::invalidate:
      return "invalidate";
    case Operation::Kind::flush:
      return "flush";
    case Operation::Kind::update_host:
      return "update_host";
    default:
      return "release_devices";
  }
}

}  // namespace

std::string to_code(const Operation& operation) {
  const detail::Request& first = operation.first;
  const std::string object = first.object == 0 ? "" : fmt::format(", {}", first.object);
  switch (operation.kind) {
    case Operation::Kind::use:
      return fmt::format("world.use({}, Access::{}, {}{}{});\n", code(first.memory), to_string(first.access),
                         code(first.rect),
                         operation.failures > 0 ? fmt::format(", {}", first.object) : object,
                         operation.failures > 0 ? fmt::format(", {}", operation.failures) : "");
    case Operation::Kind::together:
      return fmt::format("world.together({}, {}, {});\n", code(first), code(operation.second),
                         operation.reserve_first);
    case Operation::Kind::direct:
      return fmt::format("world.direct(Access::{}, {}{});\n", to_string(first.access), code(first.rect),
                         object);
    case Operation::Kind::open:
      return fmt::format("world.open({}, {});\n", code(first), operation.reserve_first);
    case Operation::Kind::close:
      return fmt::format("world.close({});\n", operation.which);
    case Operation::Kind::resize:
      return fmt::format("world.resize({}, {}{});\n", first.rect.row_end, first.rect.column_end, object);
    default:
      return fmt::format("world.{}({});\n", simple_name(operation.kind), first.object);
  }
}

std::string to_code(const Setting& setting, const std::vector<Operation>& operations) {
  std::string text = to_code(setting);
  for (const Operation& operation : operations) text += to_code(operation);
  return text + "world.end();\n";
}

}  // namespace haloheap::coherence::test
