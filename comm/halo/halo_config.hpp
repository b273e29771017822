// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_HALO_CONFIG_HPP
#define HALOHEAP_COMM_HALO_HALO_CONFIG_HPP

#include <haloheap/comm/exchange.hpp>
#include <haloheap/comm/halo/grid.hpp>
#include <haloheap/comm/halo/halo_exchange_config.hpp>
#include <haloheap/comm/phase_timer.hpp>

#include <array>
#include <initializer_list>
#include <vector>

namespace haloheap::comm {

/// How many ghost cells a field has on each side.
class HaloWidth {
 public:
  /// On the low and on the high side of one dimension.
  struct Sides {
    grid::Index low = 0, high = 0;

    Sides(grid::Index both) : low(both), high(both) {}  // not explicit: a width is a number
    Sides(grid::Index low_side, grid::Index high_side) : low(low_side), high(high_side) {}
  };

  /// The same on all sides.
  HaloWidth(grid::Index everywhere) : sides_{everywhere} {}
  /// For x, y and, in three dimensions, z: {2, 2}, or {{1, 0}, {2, 3}} where sides differ.
  HaloWidth(std::initializer_list<Sides> dimensions) : sides_(dimensions) {}

  /// Whether there is a width for so many dimensions.
  bool fits(int dims) const { return sides_.size() == 1 || sides_.size() == static_cast<std::size_t>(dims); }
  Sides of(int dim) const { return sides_.size() == 1 ? sides_[0] : sides_[static_cast<std::size_t>(dim)]; }
  std::size_t dimensions() const { return sides_.size(); }

 private:
  std::vector<Sides> sides_;
};

struct HaloConfig {
  HaloWidth width = 1;  ///< of all fields
  Exchange exchange = Exchange::sync;
  MessagesPer messages = MessagesPer::neighbour;
  bool accumulate = false;       ///< prepare Halo::accumulate, which needs buffers of its own
  HaloExchangeConfig halo = {};  ///< how it is sent: transport, message mode, buffers, timeout
  PhaseTimer* timer = nullptr;   ///< must outlive the halo; null: nobody looks at times
};

}  // namespace haloheap::comm

#endif
