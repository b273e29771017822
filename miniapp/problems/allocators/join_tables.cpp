// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/lanes/random.hpp>
#include <haloheap/miniapp/problems/allocators/join_tables.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace haloheap {
namespace {

constexpr std::uint32_t none = ~0U;

/// From 0 to 1, the latter excluded.
double uniform(lanes::LaneRandom& random) {
  return random() / 4294967296.0;
}

}  // namespace

/// A permutation of all 32-bit numbers: keys of other numbers are other keys.
std::uint32_t JoinTables::key(std::uint32_t number) const {
  return lanes::bits::mix(number ^ lanes::bits::mix(static_cast<std::uint32_t>(seed)));
}

std::vector<Tuple> JoinTables::build() const {
  std::vector<Tuple> table(tuples);
  for (std::uint32_t i = 0; i < tuples; ++i) table[i] = {key(i % keys()), i};
  return table;
}

std::vector<Tuple> JoinTables::probe() const {
  std::vector<Tuple> table(tuples);
  for (std::uint32_t i = 0; i < tuples; ++i) {
    lanes::LaneRandom random(static_cast<std::uint32_t>(seed), i);
    const bool matches = uniform(random) < match;
    // The inverse of the distribution function of a density that falls as x^-skew on (0, 1).
    const double place = std::pow(uniform(random), 1 / (1 - skew));
    const auto number = std::min(static_cast<std::uint32_t>(place * keys()), keys() - 1);
    table[i] = {key(matches ? number : keys() + number), i};
  }
  return table;
}

HostJoin host_join(const std::vector<Tuple>& build, const std::vector<Tuple>& probe, std::size_t maximum) {
  const std::size_t buckets = std::bit_ceil(build.size() + 1);
  std::vector<std::uint32_t> first(buckets, none), next(build.size(), none);
  const auto bucket = [&](std::uint32_t key) { return key & (buckets - 1); };
  for (std::uint32_t i = 0; i < build.size(); ++i) {
    next[i] = first[bucket(build[i].key)];
    first[bucket(build[i].key)] = i;
  }
  HostJoin result;
  for (const Tuple& tuple : probe)
    for (std::uint32_t i = first[bucket(tuple.key)]; i != none; i = next[i]) {
      if (build[i].key != tuple.key) continue;
      const JoinRow row = {tuple.key, build[i].value, tuple.value};
      ++result.sum.rows;
      result.sum.digest += row.digest();
      if (result.sum.rows <= maximum) result.rows.push_back(row);
    }
  if (result.sum.rows > maximum) result.rows = {};
  return result;
}

}  // namespace haloheap
