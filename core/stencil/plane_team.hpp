// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_PLANE_TEAM_HPP
#define HALOHEAP_CORE_STENCIL_PLANE_TEAM_HPP

#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/stencil/await_packs.hpp>
#include <haloheap/core/stencil/grid_edges.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/side_parts.hpp>
#include <haloheap/core/stencil/stencil_points.hpp>
#include <haloheap/core/stencil/sweep_tiles.hpp>

#include <type_traits>

namespace haloheap::stencil::detail {

/// How a team divides a plane of its tile, and how many teams a multiprocessor holds at once.
struct PlaneShape {
  int height;  ///< rows of a warp
  int warps;
  int resident;
};

/// What the kernels have in common that make one step or several of a 3D stencil in one pass: a team streams
/// through a tile in z, plane by plane. A warp has `height` rows of it, a lane 16 bytes of each. Neighbours
/// in x come from the neighbouring lanes, those in y from the neighbouring warps, which publish their outer
/// rows in team scratch. What the outermost cells of a tile lack of their neighbours spreads by `radius` a
/// step: those cells are computed and not stored. The residual is that of a pass of one step.
template <class T, class Points, int Steps, PlaneShape shape, Sides where, class Platform, class Residual>
struct PlaneTeam {
  static_assert(Points::dims == 3);
  static_assert(Steps == 1 || !Residual::counts);
  static constexpr int radius = Points::radius;
  static constexpr int reach = Steps * radius;
  static constexpr int lanes_a_warp = Platform::warp_size;
  static constexpr int width = 16 / sizeof(T);  ///< the widest load
  static constexpr int height = shape.height;
  static constexpr int margin = (reach + width - 1) / width * width;   ///< columns that are not stored
  static constexpr int columns = lanes_a_warp * width - 2 * margin;    ///< columns that are
  static constexpr int rows = shape.warps * shape.height - 2 * reach;  ///< rows that are
  KOKKOS_FUNCTION static constexpr TileShape tile() { return {columns, rows, width, margin, reach}; }
  static_assert(height >= radius && width >= radius && height <= 8 && rows > 0 && shape.warps > 1);

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
  grid::Index origin, plane_size, quantity_size;
  int pitch;
  Coefficients<T, Points> coefficients;
  GridEdges<T> edges;
  StreamTiles<3> tiles;
  Residual residual;

 protected:
  enum Side : unsigned { low_fixed = 1, low_mirrors = 2, high_fixed = 4, high_mirrors = 8 };

  /// What a lane knows all along.
  struct Lane {
    Lanes lanes;
    int warp;
    int x, y;                       ///< first cell
    int begin, end;                 ///< planes that are stored
    int first_loaded, last_loaded;  ///< rows, from y on; others are loaded in vain
    unsigned stored;                ///< a bit for each row and, from bit 8 on, for each column
    grid::Index from, to;           ///< the first cell in plane 0: to load from, and to store to
    T *below, *above;               ///< this lane's part of the rows where the warp meets its neighbours
    unsigned sides[3];  ///< of the grid that the lane (x), its warp (y), its team (z) may see from within:
                        ///< bits of `Side`
    int first_plain, end_of_plain;  ///< planes at which nothing is imposed in z
  };

  KOKKOS_FORCEINLINE_FUNCTION Lane lane_of(const Member& team) const {
    const StreamTile part = tiles.find(static_cast<unsigned>(team.league_rank()), columns, rows);
    Lane lane{Platform::Lanes::whole_warp()};
    lane.warp = team.team_rank() / lanes_a_warp;
    const int column = static_cast<int>(lane.lanes.lane()) * width, row = lane.warp * height;
    lane.x = part.x - margin + column;
    lane.y = first_row(edges, part, tile()) + row;
    lane.begin = part.begin;
    lane.end = part.end;
    lane.first_loaded = part.lo_y - reach - lane.y;
    lane.last_loaded = part.hi_y + reach - 1 - lane.y;
    if (column >= margin && column < margin + columns)
      lane.stored = between<height>(lane.y, part.y, Kokkos::min(part.y + rows, part.hi_y)) |
                    between<width>(lane.x, part.lo_x, part.hi_x) << 8;
    const grid::Index row_at = origin + part.quantity * quantity_size + grid::Index{lane.y} * pitch;
    const int first_x = grid::detail::multiple_below(part.lo_x - reach, width),
              last_x = grid::detail::multiple_below(part.hi_x + reach - 1, width);
    lane.from = row_at + clamped(lane.x, first_x, last_x);
    lane.to = row_at + lane.x;

    T* const scratch =
        static_cast<T*>(team.team_scratch(0).get_shmem_aligned(int{scratch_bytes}, 16)) + column;
    // The outermost warps have one neighbour each, and read anything in place of the other's rows.
    lane.below = scratch + (lane.warp > 0 ? lane.warp - 1 : 0) * seam_size;
    lane.above = scratch + Kokkos::min(lane.warp, shape.warps - 2) * seam_size;
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

  /// One branch for all rows: it keeps the loads at their place, long before their values are needed. Rows
  /// that nobody needs are loaded too, from where others are.
  KOKKOS_FORCEINLINE_FUNCTION void load(const Lane& lane, const T* from, bool wanted, Plane& to) const {
    if (wanted) {
      HALOHEAP_UNROLL
      for (int row = 0; row < height; ++row) {
        const int there = clamped(row, lane.first_loaded, lane.last_loaded);
        to[row] = *reinterpret_cast<const Columns*>(from + there * pitch);
      }
    } else {
      HALOHEAP_UNROLL
      for (int row = 0; row < height; ++row) to[row] = {};
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void store_plane(const Lane& lane, T* to, const Plane& from) const {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row)
      if (lane.stored >> row & 1) {
        if (lane.stored >> 8 == (1u << width) - 1) {
          *reinterpret_cast<Columns*>(to + row * pitch) = from[row];
        } else {
          HALOHEAP_UNROLL
          for (int i = 0; i < width; ++i)
            if (lane.stored >> (8 + i) & 1) to[row * pitch + i] = from[row].value[i];
        }
      }
  }

  using Squares = ResidualSums<Residual>;

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
  KOKKOS_FORCEINLINE_FUNCTION void with_neighbours(const Lane& lane, int at, Plane& plane,
                                                   PlaneWindow& window) const {
    HALOHEAP_UNROLL
    for (int i = 0; i < radius; ++i) {
      window[i] = row_in(lane.below + at, i);
      window[radius + height + i] = row_in(lane.above + at, radius + i);
    }
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row) window[radius + row] = plane[row];
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
    const unsigned left = (lane.lanes.lane() + lanes_a_warp - 1) % lanes_a_warp,
                   right = (lane.lanes.lane() + 1) % lanes_a_warp;
    HALOHEAP_UNROLL
    for (int i = 0; i < radius; ++i) {
      window[i] = lane.lanes.shuffle(row.value[width - radius + i], left);
      window[radius + width + i] = lane.lanes.shuffle(row.value[i], right);
    }
    HALOHEAP_UNROLL
    for (int i = 0; i < width; ++i) window[radius + i] = row.value[i];
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

  KOKKOS_FORCEINLINE_FUNCTION static void copy(const Plane& from, Plane& to) {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row) to[row] = from[row];
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
  /// A bit for each of `count` places from `first` on: set for those in [begin, end).
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION static unsigned between(int first, int begin, int end) {
    unsigned bits = 0;
    HALOHEAP_UNROLL
    for (int i = 0; i < count; ++i)
      if (first + i >= begin && first + i < end) bits |= 1u << i;
    return bits;
  }

  // By value: a loop whose counter someone has the address of is not unrolled in time.
  KOKKOS_FORCEINLINE_FUNCTION static int clamped(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
  }

  KOKKOS_FORCEINLINE_FUNCTION static Columns& row_in(T* rows_of_lane, int row) {
    return *reinterpret_cast<Columns*>(rows_of_lane + row * row_size);
  }
};

}  // namespace haloheap::stencil::detail

#endif
