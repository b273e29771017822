// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_PLANE_TILE_HPP
#define HALOHEAP_CORE_STENCIL_PLANE_TILE_HPP

#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/stencil/stream_tiles.hpp>
#include <haloheap/core/stencil/sweep_tiles.hpp>

#include <type_traits>

namespace haloheap::stencil::detail {

/// How a team divides a plane of its tile, and how many teams a multiprocessor holds at once.
struct PlaneShape {
  int height;  ///< rows of a warp
  int warps;
  int resident;
};

/// How a team of warps holds the planes of a tile of a 3D field, and streams through it in z. A warp has
/// `height` rows of a plane, a lane 16 bytes of each. Neighbours in x come from the neighbouring lanes, those
/// in y from the neighbouring warps, which publish their outer rows in team scratch. What the outermost cells
/// of a tile lack of their neighbours spreads by `Radius` a step: those cells are computed and not stored.
/// @tparam Published planes whose outer rows are published at once
/// @tparam In, Out what points to a cell
template <class T, int Radius, int Steps, int Published, PlaneShape shape, class Platform,
          class In = const T*, class Out = T*>
struct PlaneTile {
  static constexpr int radius = Radius;
  static constexpr int reach = Steps * radius;
  static constexpr int lanes_a_warp = Platform::warp_size;
  static constexpr int width = sizeof(T) < 4 ? 4 : 16 / sizeof(T);  ///< 16 bytes are the widest load
  static constexpr int height = shape.height;
  static constexpr int margin = (reach + width - 1) / width * width;   ///< columns that are not stored
  static constexpr int columns = lanes_a_warp * width - 2 * margin;    ///< columns that are
  static constexpr int rows = shape.warps * shape.height - 2 * reach;  ///< rows that are
  KOKKOS_FUNCTION static constexpr TileShape tile() { return {columns, rows, width, margin, reach}; }
  static_assert(height >= radius && width >= radius && height <= 8 && rows > 0 && shape.warps > 1);

  using Lanes = std::decay_t<decltype(Platform::Lanes::whole_warp())>;
  using Columns = Pack<T, width>;
  using Window = T[width + 2 * radius];
  /// A warp's rows of a plane, and with those next to them.
  using Plane = Columns[height];
  using PlaneWindow = Columns[height + 2 * radius];

  /// Where two warps meet, either publishes so many rows of each plane: first those below.
  static constexpr int row_size = lanes_a_warp * width;
  static constexpr int seam_size = 2 * radius * row_size;
  static constexpr int level_size = (shape.warps - 1) * seam_size;
  static constexpr int buffer_size = Published * level_size;
  /// A second buffer spares a barrier a plane. Kokkos gives a team 48 KB, of which it takes 8 bytes a lane.
  static constexpr int scratch_limit = 48 * 1024 - 8 * (shape.warps * lanes_a_warp + 2);
  static constexpr int buffers = 2 * buffer_size * int{sizeof(T)} <= scratch_limit ? 2 : 1;
  static constexpr int scratch_bytes = buffers * buffer_size * int{sizeof(T)};
  static_assert(scratch_bytes <= scratch_limit);

  In in;
  Out out;
  grid::Index origin, plane_size, quantity_size;
  int pitch;

 protected:
  /// What a lane knows all along.
  struct LaneState {
    Lanes lanes = Platform::Lanes::whole_warp();
    int warp = 0;
    int x = 0, y = 0;                       ///< first cell
    int begin = 0, end = 0;                 ///< planes that are stored
    int first_loaded = 0, last_loaded = 0;  ///< rows, from y on; others are loaded in vain
    unsigned stored = 0;                    ///< a bit for each row and, from bit 8 on, for each column
    grid::Index from = 0, to = 0;           ///< the first cell in plane 0: to load from, and to store to
    T *below = nullptr, *above = nullptr;   ///< this lane's part of the rows where warps meet
  };

  /// @param first_row that the team computes
  /// @param first_quantity that the tile is of
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void find_lane(const Member& team, const StreamTile& part, int first_row,
                                             int first_quantity, LaneState& lane) const {
    lane.warp = team.team_rank() / lanes_a_warp;
    const int column = static_cast<int>(lane.lanes.lane()) * width, row = lane.warp * height;
    lane.x = part.x - margin + column;
    lane.y = first_row + row;
    lane.begin = part.begin;
    lane.end = part.end;
    lane.first_loaded = part.lo_y - reach - lane.y;
    lane.last_loaded = part.hi_y + reach - 1 - lane.y;
    if (column >= margin && column < margin + columns)
      lane.stored = between<height>(lane.y, part.y, Kokkos::min(part.y + rows, part.hi_y)) |
                    between<width>(lane.x, part.lo_x, part.hi_x) << 8;
    const grid::Index row_at = origin + first_quantity * quantity_size + grid::Index{lane.y} * pitch;
    const int first_x = grid::detail::multiple_below(part.lo_x - reach, width),
              last_x = grid::detail::multiple_below(part.hi_x + reach - 1, width);
    lane.from = row_at + clamped(lane.x, first_x, last_x);
    lane.to = row_at + lane.x;

    T* const scratch =
        static_cast<T*>(team.team_scratch(0).get_shmem_aligned(int{scratch_bytes}, 16)) + column;
    // The outermost warps have one neighbour each, and read anything in place of the other's rows.
    lane.below = scratch + (lane.warp > 0 ? lane.warp - 1 : 0) * seam_size;
    lane.above = scratch + Kokkos::min(lane.warp, shape.warps - 2) * seam_size;
  }

  /// One branch for all rows: it keeps the loads at their place, long before their values are needed. Rows
  /// that nobody needs are loaded too, from where others are.
  KOKKOS_FORCEINLINE_FUNCTION void load(const LaneState& lane, const In& from, int field, bool wanted,
                                        Plane& to) const {
    if (wanted) {
      HALOHEAP_UNROLL
      for (int row = 0; row < height; ++row) {
        const int there = clamped(row, lane.first_loaded, lane.last_loaded);
        to[row] = pack_at<width>(from + there * pitch, field, quantity_size);
      }
    } else {
      HALOHEAP_UNROLL
      for (int row = 0; row < height; ++row) to[row] = {};
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void store_plane(const LaneState& lane, const Out& to, int field,
                                               const Plane& from) const {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row)
      if (lane.stored >> row & 1) {
        if (lane.stored >> 8 == (1u << width) - 1) {
          put_pack(to + row * pitch, field, quantity_size, from[row]);
        } else {
          HALOHEAP_UNROLL
          for (int i = 0; i < width; ++i)
            if (lane.stored >> (8 + i) & 1)
              put(to + (row * pitch + i), field, quantity_size, from[row].value[i]);
        }
      }
  }

  /// @param at where the plane begins in the scratch
  KOKKOS_FORCEINLINE_FUNCTION static void publish(const LaneState& lane, int at, const Plane& plane) {
    HALOHEAP_UNROLL
    for (int i = 0; i < radius; ++i) {
      if (lane.warp > 0) row_in(lane.below + at, radius + i) = plane[i];
      if (lane.warp < shape.warps - 1) row_in(lane.above + at, i) = plane[height - radius + i];
    }
  }

  /// A plane with the rows next to it.
  KOKKOS_FORCEINLINE_FUNCTION static void with_rows_around(const LaneState& lane, int at, const Plane& plane,
                                                           PlaneWindow& window) {
    HALOHEAP_UNROLL
    for (int i = 0; i < radius; ++i) {
      window[i] = row_in(lane.below + at, i);
      window[radius + height + i] = row_in(lane.above + at, radius + i);
    }
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row) window[radius + row] = plane[row];
  }

  /// A row with the cells next to it.
  KOKKOS_FORCEINLINE_FUNCTION static void with_cells_around(const LaneState& lane, const Columns& row,
                                                            Window& window) {
    const unsigned left = (lane.lanes.lane() + lanes_a_warp - 1) % lanes_a_warp,
                   right = (lane.lanes.lane() + 1) % lanes_a_warp;
    HALOHEAP_UNROLL
    for (int i = 0; i < radius; ++i) {
      window[i] = lane.lanes.shuffle(row.value[width - radius + i], left);
      window[radius + width + i] = lane.lanes.shuffle(row.value[i], right);
    }
    HALOHEAP_UNROLL
    for (int i = 0; i < width; ++i) window[radius + i] = row.value[i];
  }

  KOKKOS_FORCEINLINE_FUNCTION static void copy(const Plane& from, Plane& to) {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row) to[row] = from[row];
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
