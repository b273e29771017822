// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SWEEP_TILES_HPP
#define HALOHEAP_CORE_STENCIL_SWEEP_TILES_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/grid/rounding.hpp>
#include <haloheap/core/stencil/cell.hpp>
#include <haloheap/core/stencil/measure_tally.hpp>

namespace haloheap::stencil::detail {

/// Cells [x - Radius, x + Width + Radius) of one row, in registers. The middle comes by one wide load; the
/// ends lie in cache lines that the neighbouring lanes load anyway.
template <class T, int Width, int Radius>
struct RowWindow {
  T value[Width + 2 * Radius];

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION void load(const Cell& at, int field, grid::Index size) {
    const auto pack = pack_at<Width>(at, field, size);
    HALOHEAP_UNROLL
    for (int i = 0; i < Width; ++i) value[Radius + i] = pack.value[i];
    HALOHEAP_UNROLL
    for (int i = 0; i < Radius; ++i) {
      value[i] = value_at(at + (i - Radius), field, size);
      value[Radius + Width + i] = value_at(at + (Width + i), field, size);
    }
  }
};

/// Neighbours of column `column` of row `row` in windows of rows, one a field.
template <class T, int Width, int Radius, int Rows, int Fields>
struct NeighboursInRows {
  static constexpr bool exact = false;

  const RowWindow<T, Width, Radius> (&rows)[Fields][Rows];
  int row, column;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int field, int dx, int dy, int /*dz*/) const {
    return rows[field][row + dy].value[Radius + column + dx];
  }
};

/// Splits a box of a 2D field into tiles of Width x Height cells whose left edge is aligned for wide loads.
template <int Width, int Height>
struct Tiling {
  int lo_x, lo_y, hi_x, hi_y, first_x;
  unsigned columns, rows;

  explicit Tiling(const grid::Box& box)
      : lo_x(static_cast<int>(box.lo.x)),
        lo_y(static_cast<int>(box.lo.y)),
        hi_x(static_cast<int>(box.hi.x)),
        hi_y(static_cast<int>(box.hi.y)),
        first_x(grid::detail::multiple_below(lo_x, Width)),
        columns(static_cast<unsigned>(grid::detail::divide_up(hi_x - first_x, Width))),
        rows(static_cast<unsigned>(grid::detail::divide_up(hi_y - lo_y, Height))) {}
};

/// A thread computes a tile of Width x Height cells of a 2D grid. All its rows are loaded before the first is
/// used, so that enough bytes are in flight to fill the memory pipe; rows above and below cost (Height + 2
/// Radius) / Height loads from the second-level cache.
template <class Rule, int Width, int Height, class Tally = NoTally>
struct TileSweep {
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;
  static constexpr int fields = Traits::fields;
  static constexpr int radius = Traits::radius;
  static constexpr int window = Height + 2 * radius;
  using Tiles = Tiling<Width, Height>;

  InCell<Rule> in;
  OutCell<Rule> out;
  grid::Index origin, pitch, quantity_size;
  Rule rule;
  FrameOf<Rule> frame;
  Tiles tiles;
  Tally tally;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const unsigned tile = static_cast<unsigned>(i), column = tile % tiles.columns,
                   rest = tile / tiles.columns;
    const int x = tiles.first_x + static_cast<int>(column) * Width;
    const int y = tiles.lo_y + static_cast<int>(rest % tiles.rows) * Height;
    const grid::Index at =
        origin + static_cast<grid::Index>(rest / tiles.rows) * fields * quantity_size + x + y * pitch;

    RowWindow<T, Width, radius> rows[fields][window];
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) {
      HALOHEAP_UNROLL
      for (int j = 0; j < window; ++j)
        if (y + j - radius < tiles.hi_y + radius)
          rows[field][j].load(in + at + (j - radius) * pitch, field, quantity_size);
    }

    const Around<Rule> around = frame.read();
    TallySums<Tally> sums(tally);
    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k) {
      Pack<T, Width> result[fields];
      HALOHEAP_UNROLL
      for (int c = 0; c < Width; ++c) {
        const NeighboursInRows<T, Width, radius, window, fields> neighbours{rows, k + radius, c};
        const Values<T, fields> values = new_values(rule, neighbours, around, {x + c, y + k, 0});
        HALOHEAP_UNROLL
        for (int field = 0; field < fields; ++field) result[field].value[c] = values.value[field];
      }
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) {
        if (y + k < tiles.hi_y)
          store(out + at + k * pitch, field, quantity_size, result[field], tiles.lo_x - x, tiles.hi_x - x);
        sums.template add<Width>(tally, result[field].value, &rows[field][k + radius].value[radius], x, y + k,
                                 0);
      }
      if (y + k < tiles.hi_y) sums.add_cells(tally, result, tiles.lo_x - x, tiles.hi_x - x, {x, y + k, 0});
    }
    sums.put(i, tally);
  }
};

}  // namespace haloheap::stencil::detail

#endif
