// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_BOX_PLANES_HPP
#define HALOHEAP_CORE_STENCIL_BOX_PLANES_HPP

#include <haloheap/core/stencil/await_packs.hpp>
#include <haloheap/core/stencil/grid_edges.hpp>
#include <haloheap/core/stencil/plane_sides.hpp>
#include <haloheap/core/stencil/plane_tile.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/side_parts.hpp>
#include <haloheap/core/stencil/stencil_points.hpp>

namespace haloheap::stencil::detail {

/// A step or two of the 27-point box with constant coefficients in one pass: see PlaneTile. Of every step,
/// called a level here, one plane stays in registers, and the sums of three: it adds the plane's nine terms
/// to each, which completes the sums of the plane before; that is the next level's plane. Rows and columns
/// outside the grid are imposed where a plane is used, planes outside as they come. The residual is that of a
/// pass of one step.
template <class T, class Points, int Steps, PlaneShape shape, Sides where,
          class Platform = haloheap::lanes::Platform, class Residual = NoTally>
struct BoxPlanes : PlaneTile<T, Points::radius, Steps, Steps, shape, Platform> {
  static_assert(Points::dims == 3 && !Points::star && Points::radius == 1);
  static_assert(Steps == 1 || !Residual::counts);
  using Tile = PlaneTile<T, Points::radius, Steps, Steps, shape, Platform>;
  using Tile::radius, Tile::reach, Tile::height, Tile::width, Tile::rows, Tile::columns, Tile::tile;
  using typename Tile::Columns, typename Tile::Window, typename Tile::Plane, typename Tile::PlaneWindow;
  using Squares = TallySums<Residual>;
  static constexpr int phases = 3;  ///< sums that are under way
  static_assert(Tile::buffers == 2);

  Coefficients<T, Points> coefficients;
  GridEdges<T> edges;
  StreamTiles<3> tiles;
  Residual residual;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const StreamTile part = tiles.find(static_cast<unsigned>(team.league_rank()), columns, rows);
    Lane lane;
    this->find_lane(team, part, first_row(edges, part, tile()), part.quantity, lane);
    if constexpr (where != Sides::away) find_edges(lane, part);
    stream(team, lane);
  }

 private:
  struct Lane : Tile::LaneState {
    unsigned sides[3] = {};  ///< of the grid that the lane (x), its warp (y), its team (z) may see from
                             ///< within: SideBits
  };
  struct Level {
    Plane sums[phases];
    Plane plane;
  };

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
  }

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void stream(const Member& team, const Lane& lane) const {
    const T* from = this->in + lane.from + (lane.begin - reach) * this->plane_size;
    T* to = this->out + lane.to + (lane.begin - 3 * reach) * this->plane_size;
    Level levels[Steps] = {};
    Plane coming, last = {};
    Squares squares(residual);
    this->load(lane, from, 0, true, coming);
    const int planes = lane.end - lane.begin + 2 * reach;
    int buffer = 0;
    for (int base = 0; base < planes + reach; base += phases) {
      HALOHEAP_UNROLL
      for (int phase = 0; phase < phases; ++phase, to += this->plane_size) {
        const int number = base + phase, other = Tile::buffer_size - buffer;
        HALOHEAP_UNROLL
        for (int level = Steps - 1; level >= 0; --level) {
          // The plane of a level came with the number before, and lies two lower than that of the level
          // below.
          const int z = lane.begin - reach + number - 1 - 2 * level;
          add_plane(lane, levels[level], phase, other + level * Tile::level_size, z);
          const Plane& complete = levels[level].sums[phase];
          if (level + 1 < Steps)
            accept(lane, complete, levels[level + 1].plane, z - 1);
          else if (number >= 3 * reach && number < planes + reach) {
            this->store_plane(lane, to, 0, complete);
            if constexpr (Residual::counts) count(lane, complete, last, z - 1, squares);
          }
        }
        if constexpr (Residual::counts) Tile::copy(levels[0].plane, last);
        accept(lane, coming, levels[0].plane, lane.begin - reach + number);
        await_packs<height>(coming);
        from += this->plane_size;
        this->load(lane, from, 0, number + 1 < planes, coming);
        HALOHEAP_UNROLL
        for (int level = 0; level < Steps; ++level)
          Tile::publish(lane, buffer + level * Tile::level_size, levels[level].plane);
        team.team_barrier();
        buffer = other;
      }
    }
    squares.put(grid::Index{team.league_rank()} * (shape.warps * Tile::lanes_a_warp) + team.team_rank(),
                residual);
  }

  /// Adds the terms of a level's plane to the sums of the planes before, at and after it.
  KOKKOS_FORCEINLINE_FUNCTION void add_plane(const Lane& lane, Level& level, int phase, int place,
                                             int z) const {
    PlaneWindow plane;
    with_neighbours(lane, place, level.plane, plane);
    Plane &last = level.sums[phase], &middle = level.sums[(phase + 1) % phases],
          &first = level.sums[(phase + 2) % phases];
    const unsigned sides = backend::anew(lane.sides[0]);
    if constexpr (where != Sides::away) {
      // The plane before the grid mirrors this one, whose sums begin with its terms.
      if ((lane.sides[2] & low_mirrors) && z == edges.low[2].at) {
        HALOHEAP_UNROLL
        for (int row = 0; row < height + 2; ++row) {
          Window window;
          with_ends(lane, sides, plane[row], window);
          add_row<-1>(window, row, middle);
        }
      }
    }
    HALOHEAP_UNROLL
    for (int row = 0; row < height + 2; ++row) {
      Window window;
      with_ends(lane, sides, plane[row], window);
      add_row<-1>(window, row, first);
      add_row<0>(window, row, middle);
      add_row<1>(window, row, last);
    }
  }

  /// Adds the terms of a row to the sums of the rows before, at and after it: in the order of
  /// Stencil::offsets(), since the planes come in order, and the rows of each.
  /// @param row of a plane window
  template <int dz>
  KOKKOS_FORCEINLINE_FUNCTION void add_row(const Window& window, int row, Plane& sums) const {
    HALOHEAP_UNROLL
    for (int dy = 1; dy >= -1; --dy) {
      const int target = row - radius - dy;
      if (target < 0 || target >= height) continue;
      HALOHEAP_UNROLL
      for (int i = 0; i < width; ++i) {
        HALOHEAP_UNROLL
        for (int dx = -1; dx <= 1; ++dx) {
          const int term = ((dz + 1) * 3 + dy + 1) * 3 + dx + 1;
          T& sum = sums[target].value[i];
          const T factor = coefficients.value[term], value = window[radius + i + dx];
          sum = term == 0 ? factor * value : Kokkos::fma(factor, value, sum);
        }
      }
    }
  }

  /// A level's next plane comes. The plane behind the grid mirrors the one that the level has.
  KOKKOS_FORCEINLINE_FUNCTION void accept(const Lane& lane, const Plane& from, Plane& to, int z) const {
    bool outside = false, mirrors = false;
    if constexpr (where != Sides::away) {
      const unsigned sides = backend::anew(lane.sides[2]);
      outside = in_fixed_planes(sides, z);
      mirrors = (sides & high_mirrors) && z == edges.high[2].at;
    }
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row) {
      if (!mirrors) to[row] = from[row];
      if (outside) set_all(to[row], edges.value);
    }
  }

  /// Adds what the stored cells of a plane differ by from those that were there before.
  KOKKOS_FORCEINLINE_FUNCTION void count(const Lane& lane, const Plane& now, const Plane& before, int z,
                                         Squares& squares) const {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row)
      if (lane.stored >> row & 1)
        squares.template add<width>(residual, now[row].value, before[row].value, lane.x, lane.y + row, z);
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

  template <class Entry, int count>
  KOKKOS_FORCEINLINE_FUNCTION void impose_ends(unsigned sides, Entry (&line)[count]) const {
    const auto number = [&] { return edges.value; };
    detail::impose_ends<radius>(sides, number, number, line);
  }

  /// Sets what is outside the grid of a line of cells or rows along `dim`. It begins at place `first` and has
  /// the neighbours of some cells, in place of all of them: if one of these cells is inside the grid, what
  /// its neighbours outside mirror are its neighbours too.
  template <int dim, class Entry, int count>
  KOKKOS_FORCEINLINE_FUNCTION void impose(unsigned sides, int first, Entry (&line)[count]) const {
    first = backend::anew(first);
    if (sides & (low_fixed | low_mirrors))
      impose_side<radius, -1>(sides & low_fixed, edges.value, first, edges.low[dim].at - 1, line);
    if (sides & (high_fixed | high_mirrors))
      impose_side<radius, 1>(sides & high_fixed, edges.value, first, edges.high[dim].at, line);
  }

  KOKKOS_FORCEINLINE_FUNCTION bool in_fixed_planes(unsigned sides, int z) const {
    return ((sides & low_fixed) && z < edges.low[2].at) || ((sides & high_fixed) && z >= edges.high[2].at);
  }
};

}  // namespace haloheap::stencil::detail

#endif
