// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_PLANE_COUNT_HPP
#define HALOHEAP_CORE_STENCIL_PLANE_COUNT_HPP

#include <haloheap/core/grid/box.hpp>
#include <haloheap/core/grid/rounding.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace haloheap::stencil::detail {

/// Planes of a tile of a kernel derived from PlaneTile. All teams take as long as the longest, and as many
/// times as there are waves of them: few chunks leave the last wave nearly empty, many compute most planes
/// for their neighbours' sake.
template <class Kernel>
int best_planes(std::span<const grid::Box> boxes, int quantities, int resident) {
  int maximum = 0, best = 0;
  for (const grid::Box& box : boxes) maximum = std::max(maximum, static_cast<int>(box.extent(2)));
  grid::Index minimum = std::numeric_limits<grid::Index>::max();
  // Every length that some number of chunks leads to.
  for (int planes = maximum; planes > 0;
       planes =
           planes == 1 ? 0 : grid::detail::divide_up(maximum, grid::detail::divide_up(maximum, planes - 1))) {
    grid::Index teams = 0;
    for (const grid::Box& box : boxes)
      teams += grid::detail::divide_up(static_cast<int>(box.extent(0)), Kernel::columns) *
               grid::detail::divide_up(static_cast<int>(box.extent(1)), Kernel::rows) *
               grid::detail::divide_up(static_cast<int>(box.extent(2)), planes);
    const grid::Index waves = (teams * quantities + resident - 1) / resident;
    const grid::Index time = waves * (planes + 2 * Kernel::reach);
    if (time < minimum) {
      minimum = time;
      best = planes;
    }
  }
  return best;
}

}  // namespace haloheap::stencil::detail

#endif
