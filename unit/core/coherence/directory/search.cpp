// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/random_operations.hpp>
#include <haloheap/unit/core/coherence/directory/search.hpp>
#include <haloheap/unit/core/coherence/directory/world.hpp>

#include <fmt/format.h>

#include <exception>

namespace haloheap::coherence::test {

std::string Failure::code() const {
  return fmt::format("// {}\n{}", what, to_code(setting, operations));
}

std::optional<Failure> run(const Setting& setting, const std::vector<Operation>& operations) {
  std::size_t done = 0;
  try {
    World world(setting);
    for (const Operation& operation : operations) {
      ++done;
      world.apply(operation);
    }
    world.end();
  } catch (const std::exception& error) {
    const auto end = operations.begin() + static_cast<std::ptrdiff_t>(done);
    return Failure{setting, {operations.begin(), end}, error.what()};
  }
  return std::nullopt;
}

namespace {

/// Work is done in some random order: another one may be needed to see the failure of fewer operations.
std::optional<Failure> run_in_some_orders(Setting setting, const std::vector<Operation>& operations) {
  const unsigned orders = setting.deferred ? 12 : 2;
  for (unsigned i = 0; i < orders; ++i, ++setting.seed)
    if (auto failure = run(setting, operations)) return failure;
  return std::nullopt;
}

/// Pieces of half the sequence go, then of a quarter, and so on.
Failure drop_operations(Failure best) {
  for (std::size_t piece = (best.operations.size() + 1) / 2; piece > 0; piece /= 2)
    for (std::size_t begin = 0; begin < best.operations.size();) {
      std::vector<Operation> fewer = best.operations;
      const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(begin);
      fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(piece, fewer.size() - begin)));
      if (auto failure = run_in_some_orders(best.setting, fewer))
        best = *failure;
      else
        begin += piece;
    }
  return best;
}

void add_smaller(std::vector<Operation>& simpler, const Operation& operation,
                 detail::Request Operation::*request) {
  for (const auto& [side, by] : {std::pair{&Rect::row_end, -1}, std::pair{&Rect::column_end, -1},
                                 std::pair{&Rect::row, 1}, std::pair{&Rect::column, 1}}) {
    Operation smaller = operation;
    (smaller.*request).rect.*side += by;
    if (!(smaller.*request).rect.empty()) simpler.push_back(smaller);
  }
  if ((operation.*request).access == Access::read_write)
    for (const Access access : {Access::read, Access::write}) {
      simpler.push_back(operation);
      (simpler.back().*request).access = access;
    }
}

std::vector<Operation> simpler_ones(const Operation& operation) {
  std::vector<Operation> simpler;
  if (operation.failures > 0) {
    simpler.push_back(operation);
    simpler.back().failures = operation.failures > 1 ? 1 : 0;
  }
  if (operation.kind == Operation::Kind::together || operation.kind == Operation::Kind::direct ||
      operation.kind == Operation::Kind::open) {
    simpler.push_back({Operation::Kind::use, operation.first, {}, 0, false});
    if (operation.kind == Operation::Kind::together)
      simpler.push_back({Operation::Kind::use, operation.second, {}, 0, false});
  }
  if (operation.kind == Operation::Kind::together) add_smaller(simpler, operation, &Operation::second);
  add_smaller(simpler, operation, &Operation::first);
  return simpler;
}

bool simplify_one(Failure& best) {
  for (std::size_t i = 0; i < best.operations.size(); ++i)
    for (const Operation& simpler : simpler_ones(best.operations[i])) {
      std::vector<Operation> operations = best.operations;
      operations[i] = simpler;
      if (auto failure = run_in_some_orders(best.setting, operations)) {
        best = *failure;
        return true;
      }
    }
  return false;
}

}  // namespace

Failure shrink(const Failure& failure) {
  Failure best = drop_operations(failure);
  while (simplify_one(best)) {
  }
  return drop_operations(best);
}

std::vector<Setting> all_settings() {
  std::vector<Setting> settings;
  for (const bool deferred : {false, true})
    for (const ElementIndex rows : {1, 4})
      for (const std::size_t capacity : {unlimited, std::size_t{14}})
        for (const Peers peers : {Peers::none, Peers::all, Peers::one_way, Peers::ring})
          for (const PolicyEntry& policy : policies()) {
            Setting setting{policy.name, peers, 3, rows, 8, 2, capacity, deferred, 0};
            setting.host_grain = peers == Peers::one_way || peers == Peers::all ? 4 : 0;
            setting.max_pieces = peers == Peers::ring || peers == Peers::all ? 1 : 0;
            if (rows > 1) setting.columns = 4;
            settings.push_back(setting);
          }
  return settings;
}

std::optional<Failure> search(const std::vector<Setting>& settings, unsigned maximum, std::size_t length) {
  for (unsigned seed = 0; seed < maximum; ++seed)
    for (Setting setting : settings) {
      setting.seed = seed;
      if (auto failure = run(setting, random_operations(setting, length, seed))) return shrink(*failure);
    }
  return std::nullopt;
}

}  // namespace haloheap::coherence::test
