// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_DECOMPOSITION_HPP
#define HALOHEAP_CORE_GRID_DECOMPOSITION_HPP

#include <haloheap/core/grid/box.hpp>

namespace haloheap::grid {

/// The rank grid for `ranks` ranks: in 2D the table of [Valen2023], Table 3.2, for its rank counts where it
/// fits; otherwise the factorisation whose largest subdomain has the smallest surface (the most cubic), wide
/// rather than high among equals.
Triple rank_grid(int ranks, int dims, const Triple& cells);

/// Cells [begin, begin + count) of one dimension.
struct Range {
  Index begin = 0, count = 0;
};

/// The part of `cells` cells that belongs to part `index` of `parts`; leftover cells go to the first parts,
/// one each.
Range split(Index cells, Index parts, Index index);

/// Global box of the rank at `coordinates` of `ranks`.
Box subdomain(const Triple& cells, const Triple& ranks, const Triple& coordinates);

/// Extent in `dim` of the smallest subdomain.
inline Index smallest_extent(const Triple& cells, const Triple& ranks, int dim) {
  return cells[dim] / ranks[dim];
}

}  // namespace haloheap::grid

#endif
