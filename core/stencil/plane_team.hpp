// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_PLANE_TEAM_HPP
#define HALOHEAP_CORE_STENCIL_PLANE_TEAM_HPP

#include <haloheap/core/stencil/await_packs.hpp>
#include <haloheap/core/stencil/grid_edges.hpp>
#include <haloheap/core/stencil/plane_tile.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/side_parts.hpp>
#include <haloheap/core/stencil/stencil_points.hpp>

namespace haloheap::stencil::detail {

/// What the kernels have in common that make one step or several of a 3D stencil with constant coefficients
/// in one pass. The residual is that of a pass of one step.
template <class T, class Points, int Steps, PlaneShape shape, Sides where, class Platform, class Residual>
struct PlaneTeam : PlaneTile<T, Points::radius, Steps, Steps, shape, Platform> {
  static_assert(Points::dims == 3);
  static_assert(Steps == 1 || !Residual::counts);
  using Tile = PlaneTile<T, Points::radius, Steps, Steps, shape, Platform>;
  using Tile::radius, Tile::reach, Tile::height, Tile::width, Tile::rows, Tile::columns, Tile::tile;
  using typename Tile::Columns, typename Tile::Window, typename Tile::Plane, typename Tile::PlaneWindow;
  using Member = Kokkos::TeamPolicy<Kokkos::DefaultExecutionSpace>::member_type;

  Coefficients<T, Points> coefficients;
  GridEdges<T> edges;
  StreamTiles<3> tiles;
  Residual residual;

 protected:
  enum Side : unsigned { low_fixed = 1, low_mirrors = 2, high_fixed = 4, high_mirrors = 8 };

  struct Lane : Tile::LaneState {
    unsigned sides[3] = {};  ///< of the grid that the lane (x), its warp (y), its team (z) may see from
                             ///< within: bits of `Side`
    int first_plain = 0, end_of_plain = 0;  ///< planes at which nothing is imposed in z
  };

  KOKKOS_FORCEINLINE_FUNCTION Lane lane_of(const Member& team) const {
    const StreamTile part = tiles.find(static_cast<unsigned>(team.league_rank()), columns, rows);
    Lane lane;
    this->find_lane(team, part, first_row(edges, part, tile()), part.quantity, lane);
    if constexpr (where != Sides::away) find_edges(lane, part);
    return lane;
  }

  /// A side that no tile needs may be anywhere: if aligned ones are expected, only those count.
  KOKKOS_FORCEINLINE_FUNCTION void find_edges(Lane& lane, const StreamTile& part) const {
    const int begin[] = {lane.x, lane.y, part.begin}, end[] = {lane.x + width, lane.y + height, part.end};
    HALOHEAP_UNROLL
    for (int dim = 0; dim < 3; ++dim) {
      const auto low = edges.low[dim], high = edges.high[dim];
      const bool aligned = where == Sides::aligned && dim < 2;
      const int around = dim < 2 ? radius : reach, first = begin[dim] - around, last = end[dim] + around;
      if (low.bounded && (aligned ? low.at == begin[dim] : first < low.at && low.at < last))
        lane.sides[dim] |= low.fixed ? low_fixed : low_mirrors;
      if (high.bounded && (aligned ? high.at == end[dim] : first < high.at && high.at < last))
        lane.sides[dim] |= high.fixed ? high_fixed : high_mirrors;
    }
    const unsigned sides = lane.sides[2];
    lane.first_plain = sides & (low_fixed | low_mirrors) ? edges.low[2].at + radius : part.begin - 2 * reach;
    lane.end_of_plain = sides & (high_fixed | high_mirrors) ? edges.high[2].at : part.end + 2 * reach;
  }

  using Squares = TallySums<Residual>;

  /// Adds what the stored cells of a plane differ by from those that were there before.
  KOKKOS_FORCEINLINE_FUNCTION void count(const Lane& lane, const Plane& now, const Plane& before, int z,
                                         Squares& squares) const {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row)
      if (lane.stored >> row & 1)
        squares.template add<width>(residual, now[row].value, before[row].value, lane.x, lane.y + row, z);
  }

  KOKKOS_FORCEINLINE_FUNCTION void put(const Member& team, const Squares& squares) const {
    squares.put(grid::Index{team.league_rank()} * team.team_size() + team.team_rank(), residual);
  }

  /// A plane with the rows next to it. What is outside the grid is imposed on the plane as well: its raw
  /// values are not needed any more, and would take registers.
  KOKKOS_FORCEINLINE_FUNCTION void with_neighbours(const Lane& lane, int at, Plane& plane,
                                                   PlaneWindow& window) const {
    this->with_rows_around(lane, at, plane, window);
    if constexpr (where == Sides::away) return;
    const unsigned sides = backend::anew(lane.sides[1]);
    if (sides == 0) return;
    if constexpr (where == Sides::aligned) {
      impose_ends(sides, window);
    } else {
      impose<1>(sides, lane.y - radius, window);
      HALOHEAP_UNROLL
      for (int row = 0; row < height; ++row) plane[row] = window[radius + row];
    }
  }

  /// A row with the cells next to it.
  KOKKOS_FORCEINLINE_FUNCTION void with_ends(const Lane& lane, unsigned sides, const Columns& row,
                                             Window& window) const {
    this->with_cells_around(lane, row, window);
    if constexpr (where == Sides::aligned) impose_ends(sides, window);
    if constexpr (where == Sides::anywhere)
      if (sides != 0) impose<0>(sides, lane.x - radius, window);
  }

  /// Where the grid ends between two lanes, or rows of two warps. Without a branch, which nothing could be
  /// moved across to hide what it waits for.
  template <class Entry, int count>
  KOKKOS_FORCEINLINE_FUNCTION void impose_ends(unsigned sides, Entry (&line)[count]) const {
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) {
      Entry &low = line[radius - 1 - j], &high = line[count - radius + j];
      if (sides & low_mirrors) low = line[radius + j];
      if (sides & low_fixed) fill(low);
      if (sides & high_mirrors) high = line[count - radius - 1 - j];
      if (sides & high_fixed) fill(high);
    }
  }

  /// Sets what is outside the grid of a line of cells or rows along `dim`. It begins at place `first` and has
  /// the neighbours of some cells, in place of all of them: if one of these cells is inside the grid, what
  /// its neighbours outside mirror are its neighbours too.
  template <int dim, class Entry, int count>
  KOKKOS_FORCEINLINE_FUNCTION void impose(unsigned sides, int first, Entry (&line)[count]) const {
    first = backend::anew(first);
    if (sides & (low_fixed | low_mirrors))
      impose_side<-1>(sides & low_fixed, first, edges.low[dim].at - 1, line);
    if (sides & (high_fixed | high_mirrors))
      impose_side<1>(sides & high_fixed, first, edges.high[dim].at, line);
  }

  /// Sets the `radius` entries from place `target` on, outwards.
  template <int outwards, class Entry, int count>
  KOKKOS_FORCEINLINE_FUNCTION void impose_side(bool fixed, int first, int target,
                                               Entry (&line)[count]) const {
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) {
      HALOHEAP_UNROLL
      for (int i = 0; i < count; ++i) {
        const int source = i - outwards * (2 * j + 1);
        if (source < 0 || source >= count) continue;
        Entry value = line[source];
        if (fixed) fill(value);
        if (first + i == target + outwards * j) line[i] = value;
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION bool in_fixed_planes(unsigned sides, int z) const {
    return ((sides & low_fixed) && z < edges.low[2].at) || ((sides & high_fixed) && z >= edges.high[2].at);
  }

  KOKKOS_FORCEINLINE_FUNCTION void fill(T& cell) const { cell = edges.value; }
  KOKKOS_FORCEINLINE_FUNCTION void fill(Columns& row) const {
    HALOHEAP_UNROLL
    for (int i = 0; i < width; ++i) row.value[i] = edges.value;
  }
};

}  // namespace haloheap::stencil::detail

#endif
