// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RING_TILING_HPP
#define HALOHEAP_CORE_STENCIL_RING_TILING_HPP

#include <haloheap/core/grid/box.hpp>

namespace haloheap::stencil::detail {

/// The most steps of a pass.
inline constexpr int max_ring_steps = 8;

/// Cuts a box into the parts that host threads stream through, and says how large the planes of a part are:
/// the rows of all cells that it needs of one index of the last dimension.
struct RingTiling {
  grid::Box box;
  grid::Index parts[3] = {1, 1, 1};  ///< by dimension; the last one of the grid is streamed along
  grid::Index pitch = 0;             ///< elements from row to row of a plane
  grid::Index rows = 0;              ///< of a plane, 1 in 2D

  static constexpr grid::Index line =
      16;  ///< cuts in x are on multiples, so that threads share no cache lines
  /// Of a row of a plane: to start and end it on a multiple of `line` with a stencil's reach to spare.
  static constexpr grid::Index spare_lines = 3;

  grid::Index count() const { return parts[0] * parts[1] * parts[2]; }

  /// Part number `number`, x fastest: consecutive parts, which one thread gets, are neighbours in memory.
  /// Empty where a thin box has fewer lines than parts.
  grid::Box part(grid::Index number) const {
    grid::Box result;
    for (int dim = 0; dim < 3; ++dim) {
      const grid::Index i = number % parts[dim];
      number /= parts[dim];
      result.lo[dim] = cut(dim, i);
      result.hi[dim] = cut(dim, i + 1);
    }
    return result;
  }

  /// At least the extent of every part.
  grid::Index longest(int dim) const {
    const grid::Index even = (box.extent(dim) + parts[dim] - 1) / parts[dim];
    return dim == 0 && parts[0] > 1 ? std::min(even + line, box.extent(0)) : even;
  }

 private:
  grid::Index cut(int dim, grid::Index i) const {
    if (i == parts[dim]) return box.hi[dim];
    const grid::Index at = box.lo[dim] + box.extent(dim) * i / parts[dim];
    return dim == 0 ? std::max(at & -line, box.lo[0]) : at;
  }
};

/// What the choice of a tiling depends on.
struct RingNeeds {
  int dims, radius, steps;
  grid::Index quantities;
  grid::Index threads;
  std::size_t element_bytes;
};

/// The tiling that keeps the busiest thread least busy, counting the cells that it computes for its
/// neighbours and what it costs to start a row, with planes that fit the cache.
RingTiling choose_ring_tiling(const grid::Box& box, const RingNeeds& needs);

}  // namespace haloheap::stencil::detail

#endif
