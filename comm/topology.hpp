// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_TOPOLOGY_HPP
#define HALOHEAP_COMM_TOPOLOGY_HPP

#include <haloheap/core/grid/box.hpp>

namespace haloheap::comm {

/// The Cartesian rank grid as one rank sees it. Ranks are numbered x fastest, then y, then z.
struct Topology {
  static constexpr int none = -1;

  grid::Triple ranks{1, 1, 1};
  grid::Triple coordinates;
  bool periodic[3] = {true, true, true};

  static Topology make(int rank, const grid::Triple& ranks, const bool (&periodic)[3]) {
    const grid::Triple at{rank % ranks.x, rank / ranks.x % ranks.y, rank / ranks.x / ranks.y};
    return {ranks, at, {periodic[0], periodic[1], periodic[2]}};
  }

  /// The rank `direction` (each part -1, 0 or 1) away, which may be this rank itself, or `none` outside the
  /// grid.
  int neighbour(const grid::Triple& direction) const {
    grid::Triple at;
    for (int dim = 0; dim < 3; ++dim) {
      at[dim] = coordinates[dim] + direction[dim];
      if (at[dim] >= 0 && at[dim] < ranks[dim]) continue;
      if (!periodic[dim]) return none;
      at[dim] = (at[dim] + ranks[dim]) % ranks[dim];
    }
    return static_cast<int>(at.x + ranks.x * (at.y + ranks.y * at.z));
  }

  int rank() const { return neighbour({0, 0, 0}); }
};

}  // namespace haloheap::comm

#endif
