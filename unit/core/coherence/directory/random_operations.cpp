// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/random_operations.hpp>

#include <utility>

namespace haloheap::coherence::test {
namespace {

std::pair<ElementIndex, ElementIndex> random_range(std::mt19937& random, ElementIndex size) {
  if (below(random, 6) == 0) return {0, size};
  const ElementIndex a = below(random, size + 1), b = below(random, size);
  const ElementIndex other = b < a ? b : b + 1;
  return {std::min(a, other), std::max(a, other)};
}

bool conflict(const detail::Request& a, const detail::Request& b) {
  return a.object == b.object && (writes(a.access) || writes(b.access)) && overlap(a.rect, b.rect);
}

class Generator {
 public:
  Generator(const Setting& setting, unsigned seed) : setting_(setting), random_(seed) {}

  Operation next() {
    const ElementIndex kind = below(random_, 100);
    Operation operation;
    operation.first = request();
    if (kind < 62) {
      if (below(random_, 12) == 0) operation.failures = below(random_, 3) == 0 ? 99 : 1;
    } else if (kind < 73) {
      return together();
    } else if (kind < 79) {
      operation.kind = Operation::Kind::direct;
    } else if (kind < 86) {
      operation.kind = Operation::Kind::open;
      operation.reserve_first = below(random_, 3) == 0;
    } else if (kind < 92) {
      operation.kind = Operation::Kind::close;
      operation.which = static_cast<std::size_t>(below(random_, 3));
    } else {
      const auto rare = static_cast<int>(Operation::Kind::resize) + static_cast<int>(below(random_, 6));
      operation.kind = static_cast<Operation::Kind>(rare);
      if (operation.kind == Operation::Kind::resize) operation.first.rect = size();
    }
    return operation;
  }

 private:
  Memory memory() {
    return below(random_, 10) < 3 ? host : device(static_cast<int>(below(random_, setting_.devices)));
  }

  Rect size() {
    const ElementIndex rows = setting_.rows == 1 ? 1 : 1 + below(random_, setting_.rows);
    return {0, rows, 0, 1 + below(random_, setting_.columns)};
  }

  detail::Request request() {
    Rect rect = random_rect(random_, setting_.rows, setting_.columns);
    // That a policy without sub-matrices says so is tried now and then.
    if (!setting_.entry().sub_matrices && below(random_, 10) > 0 && setting_.rows > 1)
      rect.column = 0, rect.column_end = setting_.columns;
    return {static_cast<detail::ObjectId>(below(random_, setting_.objects)), rect, memory(),
            static_cast<Access>(below(random_, 3))};
  }

  Operation together() {
    Operation operation{Operation::Kind::together, request(), request(), 0, below(random_, 2) == 0};
    // Mostly operands of one call.
    if (below(random_, 4) > 0) operation.second.memory = operation.first.memory;
    while (conflict(operation.first, operation.second)) {
      const Memory place = operation.second.memory;
      operation.first.access = below(random_, 2) == 0 ? Access::read : operation.first.access;
      operation.second = request();
      operation.second.memory = place;
    }
    return operation;
  }

  const Setting& setting_;
  std::mt19937 random_;
};

}  // namespace

Rect random_rect(std::mt19937& random, ElementIndex rows, ElementIndex columns) {
  const auto [row, row_end] = random_range(random, rows);
  const auto [column, column_end] = random_range(random, columns);
  return {row, row_end, column, column_end};
}

std::vector<Operation> random_operations(const Setting& setting, std::size_t count, unsigned seed) {
  Generator generator(setting, seed);
  std::vector<Operation> operations(count);
  for (Operation& operation : operations) operation = generator.next();
  return operations;
}

}  // namespace haloheap::coherence::test
