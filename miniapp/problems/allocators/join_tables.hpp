// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_JOIN_TABLES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_JOIN_TABLES_HPP

#include <haloheap/core/lanes/bits.hpp>

#include <compare>
#include <vector>

namespace haloheap {

struct Tuple {
  std::uint32_t key, value;
};

/// A row of the result: the key, and the values of both sides.
struct JoinRow {
  std::uint32_t key, build, probe;

  friend auto operator<=>(const JoinRow&, const JoinRow&) = default;
  friend bool operator==(const JoinRow&, const JoinRow&) = default;

  /// Sums of it tell two results apart, whatever the order of their rows.
  KOKKOS_FUNCTION std::uint64_t digest() const {
    const std::uint32_t low = lanes::bits::mix(key + lanes::bits::mix(build + lanes::bits::mix(probe)));
    return std::uint64_t{lanes::bits::mix(low ^ probe)} << 32 | low;
  }
};

/// What two results are compared by.
struct JoinSum {
  std::uint64_t rows = 0, digest = 0;
  friend bool operator==(const JoinSum&, const JoinSum&) = default;
};

/// How the two tables are made. The table that is probed has `tuples / copies` keys (at least one), each with
/// as many tuples as the others, give or take one. A probing tuple has one of these keys with probability
/// `match`, and else a key that nobody has. Which one it has is random: all alike, or with a skew s > 0 the
/// k-th about as often as k^-s.
struct JoinTables {
  std::uint32_t tuples = 1;
  double match = 1, skew = 0;
  std::uint32_t copies = 1;
  std::uint64_t seed = 0;

  std::uint32_t keys() const { return tuples / copies > 0 ? tuples / copies : 1; }
  std::vector<Tuple> build() const;
  std::vector<Tuple> probe() const;

  friend bool operator==(const JoinTables&, const JoinTables&) = default;

 private:
  std::uint32_t key(std::uint32_t number) const;
};

/// The rows of the join on the host, in no particular order; at most `maximum` of them are kept.
struct HostJoin {
  JoinSum sum;
  std::vector<JoinRow> rows;  ///< all, or none if there are more than `maximum`
};
HostJoin host_join(const std::vector<Tuple>& build, const std::vector<Tuple>& probe, std::size_t maximum);

}  // namespace haloheap

#endif
