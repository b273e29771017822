// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_PLANE_TILES_HPP
#define HALOHEAP_CORE_GRID_PLANE_TILES_HPP

#include <haloheap/core/grid/box.hpp>
#include <haloheap/core/grid/rounding.hpp>

#include <limits>

namespace haloheap::detail {

/// A part of a 3D field that one team streams through: planes [begin, end) of the columns from x and the rows
/// from y on.
struct PlaneTile {
  int x, y, begin, end, quantity;
};

/// A box of a 3D field, cut into tiles in x and y and these into chunks of planes, with one flat number. By
/// value in a kernel.
struct PlaneTiles {
  int lo_x, hi_x, lo_y, hi_y, lo_z, hi_z;
  int first_x, planes;  ///< where the first tile begins; planes of a chunk, at most
  unsigned strips, tiles, chunks, teams;

  /// @param columns, rows of a tile
  /// @param width cells that a lane loads at once: tiles begin at multiples of it
  /// @param reach planes that a chunk computes in vain on either side
  /// @param resident teams that run at once
  PlaneTiles(const Box& box, int quantities, int columns, int rows, int width, int reach, int resident)
      : lo_x(static_cast<int>(box.lo.x)),
        hi_x(static_cast<int>(box.hi.x)),
        lo_y(static_cast<int>(box.lo.y)),
        hi_y(static_cast<int>(box.hi.y)),
        lo_z(static_cast<int>(box.lo.z)),
        hi_z(static_cast<int>(box.hi.z)),
        first_x(multiple_below(lo_x, width)),
        strips(static_cast<unsigned>(divide_up(hi_x - first_x, columns))),
        tiles(strips * static_cast<unsigned>(divide_up(hi_y - lo_y, rows))) {
    planes = best_planes(hi_z - lo_z, static_cast<int>(tiles) * quantities, reach, resident);
    chunks = static_cast<unsigned>(divide_up(hi_z - lo_z, planes));
    teams = tiles * chunks * static_cast<unsigned>(quantities);
  }

  /// Neighbouring tiles have neighbouring numbers, so that teams that run at once read the same planes.
  KOKKOS_FUNCTION PlaneTile find(unsigned team, int columns, int rows) const {
    const unsigned tile = team % tiles, rest = team / tiles;
    const int begin = lo_z + static_cast<int>(rest % chunks) * planes;
    return {first_x + static_cast<int>(tile % strips) * columns,
            lo_y + static_cast<int>(tile / strips) * rows, begin,
            begin + planes < hi_z ? begin + planes : hi_z, static_cast<int>(rest / chunks)};
  }

 private:
  /// Planes of a chunk. All teams take as long as the longest, and as many times as there are waves of them:
  /// few chunks leave the last wave nearly empty, many compute most planes for their neighbours' sake.
  static int best_planes(int planes, int tiles, int reach, int resident) {
    int best = planes;
    long least = std::numeric_limits<long>::max();
    for (int chunks = 1; chunks <= planes; ++chunks) {
      const int height = divide_up(planes, chunks);
      const long waves = divide_up(tiles * divide_up(planes, height), resident);
      const long time = waves * (height + 2 * reach);
      if (time < least) {
        least = time;
        best = height;
      }
    }
    return best;
  }
};

}  // namespace haloheap::detail

#endif
