// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_PLANE_TEAM_HPP
#define HALOHEAP_CORE_GRID_PLANE_TEAM_HPP

#include <haloheap/core/grid/grid_edges.hpp>
#include <haloheap/core/grid/plane_tiles.hpp>
#include <haloheap/core/grid/sweep_tiles.hpp>
#include <haloheap/core/lanes/platform.hpp>

#include <type_traits>

namespace haloheap::detail {

/// How a team divides a plane of its tile, and how many teams a multiprocessor holds at once.
struct PlaneShape {
  int height;  ///< rows of a warp
  int warps;
  int resident;
};

/// What the kernels have in common that make several steps of a 3D stencil in one pass: a team streams
/// through a tile in z, plane by plane. A warp has `height` rows of it, a lane 16 bytes of each. Neighbours
/// in x come from the neighbouring lanes, those in y from the neighbouring warps, which publish their outer
/// rows in team scratch. What the outermost cells of a tile lack of their neighbours spreads by `radius` a
/// step: those cells are computed and not stored.
template <class T, class Points, int Steps, PlaneShape shape, class Platform>
struct PlaneTeam {
  static_assert(Points::dims == 3);
  static constexpr int radius = Points::radius;
  static constexpr int reach = Steps * radius;
  static constexpr int lanes_a_warp = 32;
  static constexpr int width = 16 / sizeof(T);  ///< the widest load
  static constexpr int height = shape.height;
  static constexpr int margin = (reach + width - 1) / width * width;   ///< columns that are not stored
  static constexpr int columns = lanes_a_warp * width - 2 * margin;    ///< columns that are
  static constexpr int rows = shape.warps * shape.height - 2 * reach;  ///< rows that are
  static_assert(height >= radius && width >= radius && rows > 0 && shape.warps > 1);

  using Lanes = std::decay_t<decltype(Platform::Lanes::whole_warp())>;
  using Member = Kokkos::TeamPolicy<Kokkos::DefaultExecutionSpace>::member_type;
  using Columns = Pack<T, width>;
  using Window = T[width + 2 * radius];
  /// A warp's rows of a plane, and with those next to them.
  using Plane = Columns[height];
  using PlaneWindow = Columns[height + 2 * radius];

  /// Where two warps meet, either publishes so many rows of every step: first those below.
  static constexpr int row_size = lanes_a_warp * width;
  static constexpr int seam_size = 2 * radius * row_size;
  static constexpr int level_size = (shape.warps - 1) * seam_size;
  static constexpr int buffer_size = Steps * level_size;
  /// A second buffer spares a barrier a plane. Kokkos gives a team 48 KB, of which it takes 8 bytes a lane.
  static constexpr int scratch_limit = 48 * 1024 - 8 * (shape.warps * lanes_a_warp + 2);
  static constexpr int buffers = 2 * buffer_size * int{sizeof(T)} <= scratch_limit ? 2 : 1;
  static constexpr int scratch_bytes = buffers * buffer_size * int{sizeof(T)};
  static_assert(scratch_bytes <= scratch_limit);

  const T* in;
  T* out;
  Index origin, plane_size, quantity_size;
  int pitch;
  Coefficients<T, Points> coefficients;
  GridEdges<T> edges;
  PlaneTiles tiles;

 protected:
  enum Side : unsigned { low_fixed = 1, low_mirrors = 2, high_fixed = 4, high_mirrors = 8, ragged = 16 };

  /// What a lane knows all along.
  struct Lane {
    Lanes lanes;
    int warp;
    int x, y;                         ///< first cell
    int begin, end;                   ///< planes that are stored
    int loaded;                       ///< so many rows are loaded,
    int first_stored, end_of_stored;  ///< and these are stored
    Index at;                         ///< of the first cell in plane 0
    T *below, *above;                 ///< this lane's part of the rows where the warp meets its neighbours
    /// The sides of the grid in each dimension that the warp may see from within: bits of `Side`. Ragged: one
    /// is in the middle of a lane's columns.
    unsigned sides[3];
  };

  KOKKOS_FORCEINLINE_FUNCTION PlaneTile tile_of(const Member& team) const {
    return tiles.find(static_cast<unsigned>(team.league_rank()), columns, rows);
  }

  /// Few teams meet the edges of the grid; the others are spared the checks.
  KOKKOS_FORCEINLINE_FUNCTION bool meets_edges(const PlaneTile& tile) const {
    return edges.crossed_by(0, tile.x - margin, tile.x - margin + lanes_a_warp * width) ||
           edges.crossed_by(1, tile.y - reach, tile.y + rows + reach) ||
           edges.crossed_by(2, tile.begin - reach, tile.end + reach);
  }

  KOKKOS_FORCEINLINE_FUNCTION Lane lane_of(const Member& team, const PlaneTile& tile) const {
    Lane lane{Platform::Lanes::whole_warp()};
    lane.warp = team.team_rank() / lanes_a_warp;
    const int column = static_cast<int>(lane.lanes.lane()) * width, row = lane.warp * height;
    lane.x = tile.x - margin + column;
    lane.y = tile.y - reach + row;
    lane.begin = tile.begin;
    lane.end = tile.end;
    const bool loads = lane.x + width > tiles.lo_x - reach && lane.x < tiles.hi_x + reach;
    lane.loaded = loads ? smaller(height, tiles.hi_y + reach - lane.y) : 0;
    const bool stores = column >= margin && column < margin + columns && lane.x < tiles.hi_x;
    lane.first_stored = stores ? tile.y - lane.y : height;
    lane.end_of_stored = smaller(tile.y + rows, tiles.hi_y) - lane.y;
    lane.at = origin + tile.quantity * quantity_size + lane.x + Index{lane.y} * pitch;

    T* const scratch =
        static_cast<T*>(team.team_scratch(0).get_shmem_aligned(int{scratch_bytes}, 16)) + column;
    // The outermost warps have one neighbour each, and read anything in place of the other's rows.
    lane.below = scratch + (lane.warp > 0 ? lane.warp - 1 : 0) * seam_size;
    lane.above = scratch + smaller(lane.warp, shape.warps - 2) * seam_size;
    return lane;
  }

  KOKKOS_FORCEINLINE_FUNCTION void find_edges(Lane& lane, const PlaneTile& tile) const {
    const int x = tile.x - margin, y = lane.y - radius, z = tile.begin - reach;
    const int first[] = {x, y, z};
    const int last[] = {x + lanes_a_warp * width, y + height + 2 * radius, tile.end + reach};
    HALOHEAP_UNROLL
    for (int dim = 0; dim < 3; ++dim) {
      const auto low = edges.low[dim], high = edges.high[dim];
      if (low.bounded && first[dim] < low.at && low.at < last[dim])
        lane.sides[dim] |= low.fixed ? low_fixed : low_mirrors;
      if (high.bounded && first[dim] < high.at && high.at < last[dim])
        lane.sides[dim] |= high.fixed ? high_fixed : high_mirrors;
    }
    const bool low_ragged = edges.low[0].at % width != 0, high_ragged = edges.high[0].at % width != 0;
    if (((lane.sides[0] & (low_fixed | low_mirrors)) && low_ragged) ||
        ((lane.sides[0] & (high_fixed | high_mirrors)) && high_ragged))
      lane.sides[0] |= ragged;
  }

  KOKKOS_FORCEINLINE_FUNCTION void load(const Lane& lane, const T* from, bool wanted, Plane& to) const {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row)
      if (wanted && row < lane.loaded) to[row] = *reinterpret_cast<const Columns*>(from + row * pitch);
  }

  KOKKOS_FORCEINLINE_FUNCTION void store_plane(const Lane& lane, T* to, const Plane& from) const {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row)
      if (row >= lane.first_stored && row < lane.end_of_stored)
        store(to + row * pitch, from[row], tiles.lo_x - lane.x, tiles.hi_x - lane.x);
  }

  /// @param at a step's place in the scratch
  KOKKOS_FORCEINLINE_FUNCTION static void publish(const Lane& lane, int at, const Plane& plane) {
    HALOHEAP_UNROLL
    for (int i = 0; i < radius; ++i) {
      if (lane.warp > 0) row_in(lane.below + at, radius + i) = plane[i];
      if (lane.warp < shape.warps - 1) row_in(lane.above + at, i) = plane[height - radius + i];
    }
  }

  /// A plane with the rows next to it. What is outside the grid is imposed on the plane as well: its raw
  /// values are not needed any more, and would take registers.
  template <bool edge>
  KOKKOS_FORCEINLINE_FUNCTION void with_neighbours(const Lane& lane, int at, Plane& plane,
                                                   PlaneWindow& window) const {
    HALOHEAP_UNROLL
    for (int i = 0; i < radius; ++i) {
      window[i] = row_in(lane.below + at, i);
      window[radius + height + i] = row_in(lane.above + at, radius + i);
    }
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row) window[radius + row] = plane[row];
    if constexpr (edge) {
      const unsigned sides = backend::anew(lane.sides[1]);
      if (sides == 0) return;
      impose<1>(sides, lane.y - radius, window);
      HALOHEAP_UNROLL
      for (int row = 0; row < height; ++row) plane[row] = window[radius + row];
    }
  }

  /// A row with the cells next to it.
  template <bool edge>
  KOKKOS_FORCEINLINE_FUNCTION void with_ends(const Lane& lane, const Columns& row, Window& window) const {
    const unsigned left = (lane.lanes.lane() + lanes_a_warp - 1) % lanes_a_warp,
                   right = (lane.lanes.lane() + 1) % lanes_a_warp;
    HALOHEAP_UNROLL
    for (int i = 0; i < radius; ++i) {
      window[i] = lane.lanes.shuffle(row.value[width - radius + i], left);
      window[radius + width + i] = lane.lanes.shuffle(row.value[i], right);
    }
    HALOHEAP_UNROLL
    for (int i = 0; i < width; ++i) window[radius + i] = row.value[i];
    if constexpr (edge) impose_x(lane, window);
  }

  /// For cells of a row: see impose. Where the grid ends between two lanes, few of them are outside.
  KOKKOS_FORCEINLINE_FUNCTION void impose_x(const Lane& lane, Window& window) const {
    const unsigned sides = backend::anew(lane.sides[0]);
    if (sides == 0) return;
    if (sides & ragged) [[unlikely]] {
      impose<0>(sides, lane.x - radius, window);
      return;
    }
    if (sides & (low_fixed | low_mirrors)) {
      const bool first = lane.x == edges.low[0].at, fixed = sides & low_fixed;
      HALOHEAP_UNROLL
      for (int j = 0; j < radius; ++j) {
        const T value = fixed ? edges.value : window[radius + j];
        if (first) window[radius - 1 - j] = value;
      }
    }
    if (sides & (high_fixed | high_mirrors)) {
      const bool last = lane.x + width == edges.high[0].at, fixed = sides & high_fixed;
      HALOHEAP_UNROLL
      for (int j = 0; j < radius; ++j) {
        const T value = fixed ? edges.value : window[radius + width - 1 - j];
        if (last) window[radius + width + j] = value;
      }
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

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int smaller(int a, int b) { return a < b ? a : b; }

  KOKKOS_FORCEINLINE_FUNCTION static Columns& row_in(T* rows_of_lane, int row) {
    return *reinterpret_cast<Columns*>(rows_of_lane + row * row_size);
  }
};

}  // namespace haloheap::detail

#endif
