// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_STREAM_TILES_HPP
#define HALOHEAP_CORE_STENCIL_STREAM_TILES_HPP

#include <haloheap/backend/function.hpp>
#include <haloheap/core/grid/box.hpp>
#include <haloheap/core/grid/rounding.hpp>

#include <algorithm>
#include <span>

namespace haloheap::stencil::detail {

/// A part of a box that a warp (2D) or a team (3D) streams through along the last dimension: places [begin,
/// end) of the columns from x and, in 3D, the rows from y on. What it stores ends with the box.
struct StreamTile {
  int x, y, begin, end;
  int lo_x, hi_x, lo_y, hi_y;  ///< of the box; y in 3D only
  int quantity;
};

/// What a tile stores across the stream, and what it computes around that for its own sake. In 2D a tile has
/// no rows.
struct TileShape {
  int columns, rows;
  int width;   ///< cells that a lane loads at once: tiles begin at multiples of it
  int margin;  ///< columns on either side that are not stored
  int reach;   ///< rows and planes that are not
};

/// A box that is to be cut, and the length of a tile along the last dimension at most: those of a box are
/// made alike.
struct StreamBox {
  grid::Box box;
  int length;
};

/// Boxes of a field, cut into tiles with one flat number. By value in a kernel, hence the fixed capacity.
template <int Dims>
class StreamTiles {
 public:
  static constexpr int capacity = 10;

  /// @param boxes at most `capacity`, none empty
  StreamTiles(std::span<const StreamBox> boxes, int quantities, const TileShape& tile) {
    for (const auto& [box, length] : boxes) {
      Entry& entry = entries_[count_++];
      entry.lo_x = static_cast<int>(box.lo.x);
      entry.hi_x = static_cast<int>(box.hi.x);
      entry.lo_y = Dims == 3 ? static_cast<int>(box.lo.y) : 0;
      entry.hi_y = Dims == 3 ? static_cast<int>(box.hi.y) : 1;
      entry.begin = static_cast<int>(box.lo[Dims - 1]);
      entry.end = static_cast<int>(box.hi[Dims - 1]);
      entry.first_x = grid::detail::multiple_below(entry.lo_x, tile.width);
      const int extent = entry.end - entry.begin;
      entry.length = grid::detail::divide_up(extent, grid::detail::divide_up(extent, length));
      entry.strips = static_cast<unsigned>(grid::detail::divide_up(entry.hi_x - entry.first_x, tile.columns));
      entry.rows = static_cast<unsigned>(grid::detail::divide_up(entry.hi_y - entry.lo_y, tile.rows));
      entry.chunks = static_cast<unsigned>(grid::detail::divide_up(extent, entry.length));
      entry.first = tiles_;
      tiles_ += entry.strips * entry.rows * entry.chunks * static_cast<unsigned>(quantities);
    }
  }

  unsigned count() const { return tiles_; }

  /// Neighbours across the stream have neighbouring numbers, so that those who run at once read the same
  /// rows or planes.
  /// @param columns, rows of a tile, as above
  HALOHEAP_FUNCTION StreamTile find(unsigned number, int columns, int rows = 1) const {
    int which = count_ - 1;
    while (which > 0 && number < entries_[which].first) --which;
    const Entry& entry = entries_[which];
    const unsigned local = number - entry.first, strip = local % entry.strips;
    unsigned rest = local / entry.strips, row = 0;
    if constexpr (Dims == 3) {
      row = rest % entry.rows;
      rest /= entry.rows;
    }
    const int begin = entry.begin + static_cast<int>(rest % entry.chunks) * entry.length;
    const int end = begin + entry.length;
    return {entry.first_x + static_cast<int>(strip) * columns,
            entry.lo_y + static_cast<int>(row) * rows,
            begin,
            end < entry.end ? end : entry.end,
            entry.lo_x,
            entry.hi_x,
            entry.lo_y,
            entry.hi_y,
            static_cast<int>(rest / entry.chunks)};
  }

 private:
  struct Entry {
    int lo_x, hi_x, lo_y, hi_y, begin, end, first_x, length;
    unsigned strips, rows, chunks, first;
  };

  Entry entries_[capacity] = {};
  int count_ = 0;
  unsigned tiles_ = 0;
};

/// Calls `visit(tiles)` for the boxes, none of them empty, in portions that fit.
template <int Dims, class Visit>
void for_each_stream_tiles(std::span<const StreamBox> boxes, int quantities, const TileShape& tile,
                           Visit&& visit) {
  constexpr std::size_t maximum = StreamTiles<Dims>::capacity;
  for (; !boxes.empty(); boxes = boxes.subspan(std::min(maximum, boxes.size())))
    visit(StreamTiles<Dims>(boxes.first(std::min(maximum, boxes.size())), quantities, tile));
}

}  // namespace haloheap::stencil::detail

#endif
