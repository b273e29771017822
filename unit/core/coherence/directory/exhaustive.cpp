// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/exhaustive.hpp>
#include <haloheap/unit/core/coherence/directory/world.hpp>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace haloheap::coherence::test {
namespace {

void add(std::string& text, ElementIndex value) {
  text += static_cast<char>('0' + value);
}

/// All that later operations can depend on, of one copy: its flags, and which elements are the newest.
std::string describe(const detail::Copy& copy, const Buffer& buffer, const Versions& truth) {
  std::string text;
  for (const ElementIndex value : {ElementIndex{copy.memory}, copy.rect.column, copy.rect.column_end,
                                   ElementIndex{copy.valid}, ElementIndex{copy.modified}})
    add(text, value);
  for_each(copy.rect, [&](ElementIndex row, ElementIndex column) {
    const bool newest = buffer.now.at(row, column) == truth.at(row, column);
    const bool current = copy.current.contains({row, row + 1, column, column + 1});
    add(text, newest + 2 * current);
  });
  return text;
}

std::string describe(World& world) {
  std::vector<std::string> parts;
  for (const auto& [id, buffer] : world.memories().buffers())
    parts.push_back(describe(world.directory().state().copy(id), *buffer, world.truth()));
  std::sort(parts.begin(), parts.end());
  std::string text;
  for (const std::string& part : parts) text += part + ' ';
  return text;
}

/// What the operations lead to, or what is wrong then.
std::string reach(const Setting& setting, const std::vector<Operation>& path, Explored& explored) {
  ++explored.sequences;
  World world(setting);
  try {
    for (const Operation& operation : path) world.apply(operation);
  } catch (const std::exception& error) {
    explored.failure = Failure{setting, path, error.what()};
  }
  return describe(world);
}

}  // namespace

Explored explore(const Setting& setting, const std::vector<Operation>& operations, std::size_t length) {
  Explored explored;
  std::unordered_set<std::string> seen{reach(setting, {}, explored)};
  std::vector<std::vector<Operation>> paths{{}};
  for (std::size_t step = 0; step < length; ++step) {
    std::vector<std::vector<Operation>> next;
    for (const auto& path : paths)
      for (const Operation& operation : operations) {
        std::vector<Operation> longer = path;
        longer.push_back(operation);
        const bool is_new = seen.insert(reach(setting, longer, explored)).second;
        if (explored.failure) return explored;
        if (is_new) next.push_back(std::move(longer));
      }
    paths = std::move(next);
  }
  explored.states = seen.size();
  return explored;
}

std::vector<Operation> all_uses(const Setting& setting) {
  std::vector<Operation> operations;
  for (Memory memory = host; memory <= setting.devices; ++memory)
    for (const Access access : {Access::read, Access::write, Access::read_write})
      for (ElementIndex begin = 0; begin < setting.columns; ++begin)
        for (ElementIndex end = begin + 1; end <= setting.columns; ++end)
          operations.push_back({Operation::Kind::use, {0, range(begin, end), memory, access}, {}, 0, false});
  return operations;
}

}  // namespace haloheap::coherence::test
