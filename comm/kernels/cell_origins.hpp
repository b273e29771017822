// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_KERNELS_CELL_ORIGINS_HPP
#define HALOHEAP_COMM_KERNELS_CELL_ORIGINS_HPP

#include <haloheap/comm/halo_plan.hpp>

#include <cstddef>
#include <vector>

namespace haloheap::comm::detail {

/// Where the values of some cells come from: own cells, or what came in a message.
struct CellOrigin {
  grid::Box cells;
  grid::Triple shift;  ///< from a cell to the one that has its value
  bool own = true;
  std::size_t round = 0, message = 0, box = 0;  ///< otherwise
};

/// Of all `wanted` cells, before a round of the plan: copies of a rank onto itself are followed to where
/// their values come from.
std::vector<CellOrigin> origins_of(const HaloPlan& plan, const grid::Box& own, const grid::Box& wanted,
                                   std::size_t before_round);

}  // namespace haloheap::comm::detail

#endif
