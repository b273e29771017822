// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_STRIP_LIST_HPP
#define HALOHEAP_CORE_GRID_STRIP_LIST_HPP

#include <haloheap/core/grid/box.hpp>
#include <haloheap/core/grid/rounding.hpp>

#include <algorithm>
#include <span>

namespace haloheap::detail {

/// A part of a strip that one warp streams down: rows [begin, end) of the columns from x on. What it stores
/// ends at the box [lo_x, hi_x).
struct Strip {
  int x, begin, end;
  int lo_x, hi_x;
  int quantity;
};

/// A box that is to be cut into strips, and the rows of a chunk at most: those of a box are made alike.
struct StripBox {
  Box box;
  int rows;
};

/// Boxes of a 2D field, cut into strips of columns and these into chunks of rows, with one flat number. By
/// value in a kernel, hence the fixed capacity.
class StripList {
 public:
  static constexpr int capacity = 10;

  /// @param boxes at most `capacity`, none empty
  /// @param columns of a strip
  /// @param width cells that a lane loads at once: strips begin at multiples of it
  StripList(std::span<const StripBox> boxes, int quantities, int columns, int width) {
    for (const auto& [box, rows] : boxes) {
      Entry& entry = entries_[count_++];
      const auto lo_x = static_cast<int>(box.lo.x), hi_x = static_cast<int>(box.hi.x);
      const int first = multiple_below(lo_x, width);
      const auto height = static_cast<int>(box.extent(1));
      const int alike = divide_up(height, divide_up(height, rows));
      entry = {lo_x,
               hi_x,
               static_cast<int>(box.lo.y),
               static_cast<int>(box.hi.y),
               first,
               alike,
               static_cast<unsigned>(divide_up(hi_x - first, columns)),
               static_cast<unsigned>(divide_up(height, alike)),
               warps_};
      warps_ += entry.strips * entry.chunks * static_cast<unsigned>(quantities);
    }
  }

  unsigned warps() const { return warps_; }

  /// Neighbouring strips have neighbouring numbers, so that warps of a block read the same rows.
  KOKKOS_FUNCTION Strip find(unsigned warp, int columns) const {
    int which = count_ - 1;
    while (which > 0 && warp < entries_[which].first_warp) --which;
    const Entry& entry = entries_[which];
    const unsigned local = warp - entry.first_warp, rest = local / entry.strips;
    const int begin = entry.lo_y + static_cast<int>(rest % entry.chunks) * entry.rows;
    const int end = begin + entry.rows < entry.hi_y ? begin + entry.rows : entry.hi_y;
    return {entry.first_x + static_cast<int>(local % entry.strips) * columns,
            begin,
            end,
            entry.lo_x,
            entry.hi_x,
            static_cast<int>(rest / entry.chunks)};
  }

 private:
  struct Entry {
    int lo_x, hi_x, lo_y, hi_y, first_x, rows;
    unsigned strips, chunks, first_warp;
  };

  Entry entries_[capacity] = {};
  int count_ = 0;
  unsigned warps_ = 0;
};

}  // namespace haloheap::detail

#endif
