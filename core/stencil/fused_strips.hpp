// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_STRIPS_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_STRIPS_HPP

#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/stencil/await_packs.hpp>
#include <haloheap/core/stencil/grid_edges.hpp>
#include <haloheap/core/stencil/stream_tiles.hpp>
#include <haloheap/core/stencil/sweep_tiles.hpp>

#include <type_traits>

namespace haloheap::stencil::detail {

/// Several steps of a 2D stencil in one pass: a warp streams down a strip of columns, `Width` columns a lane.
/// Of every step, called a level here, the last 2 * radius rows stay in registers; a row that comes from
/// memory passes through all levels, each of which gives a row that lies `radius` higher. Neighbours in x
/// come from the neighbouring lanes. What the outermost columns and the first and last rows of a strip lack
/// of their neighbours spreads by `radius` a level: those cells are computed and not stored.
template <class T, class Points, int Steps, int Width, class Platform = haloheap::lanes::Platform>
struct FusedStrip {
  static_assert(Points::dims == 2);
  static constexpr int width = Width;
  static constexpr int radius = Points::radius;
  static constexpr int reach = Steps * radius;
  static constexpr int lanes_a_warp = Platform::warp_size;
  static constexpr int margin = (reach + Width - 1) / Width * Width;  ///< columns that are not stored
  static constexpr int columns = lanes_a_warp * Width - 2 * margin;   ///< columns that are
  static constexpr TileShape tile() { return {columns, 1, Width, margin, reach}; }
  static constexpr int kept = 2 * radius;  ///< rows of a level
  /// Rows that are loaded together; 1: each by itself. See next_row. Chosen by measurement on an H200.
  static constexpr int batch = radius > 2 ? radius : sizeof(T) == 8 ? 2 : Steps <= 4 ? 4 : 1;
  static constexpr int ahead = batch == 1 ? 4 : 2 * batch;  ///< rows that are there or on their way
  /// Rows of one turn of the loop, so that every row has a fixed place in the registers.
  static constexpr int turn = kept > ahead ? kept : ahead;
  static_assert(turn % kept == 0 && turn % ahead == 0);

  using Lanes = std::decay_t<decltype(Platform::Lanes::whole_warp())>;
  using Columns = Pack<T, Width>;
  /// The box needs the ends of every row, the star only those of the middle one.
  using Row = std::conditional_t<Points::star, Columns, RowWindow<T, Width, radius>>;

  const T* in;
  T* out;
  grid::Index origin, pitch, quantity_size;
  Coefficients<T, Points> coefficients;
  GridEdges<T> edges;

  KOKKOS_FORCEINLINE_FUNCTION void run(const StreamTile& strip) const {
    const int first = strip.x - margin;
    // Few warps meet the edges of the grid; the others are spared the checks.
    if (edges.crossed_by(0, first, first + lanes_a_warp * Width) ||
        edges.crossed_by(1, strip.begin - reach, strip.end + reach))
      along_edge(*this, strip);
    else
      stream<false>(strip);
  }

 private:
  /// What a lane knows all along.
  struct Lane {
    Lanes lanes;
    int first, x;  ///< first column of the warp, and of the lane
    bool loads;
  };

  // By itself, or what it needs would push values of the other path out of the registers. By value, or all
  // warps would copy the kernel's arguments, only to have something whose address can be taken.
  HALOHEAP_NOINLINE KOKKOS_FUNCTION static void along_edge(FusedStrip strip_kernel, StreamTile strip) {
    strip_kernel.template stream<true>(strip);
  }

  template <bool edge>
  KOKKOS_FORCEINLINE_FUNCTION void stream(const StreamTile& strip) const {
    const Lanes lanes = Platform::Lanes::whole_warp();
    const int first = strip.x - margin, column = static_cast<int>(lanes.lane()) * Width;
    const int x = first + column;
    const Lane lane{lanes, first, x, x + Width > strip.lo_x - reach && x < strip.hi_x + reach};
    const bool stores = column >= margin && column < margin + columns && x < strip.hi_x;
    const grid::Index at = origin + strip.quantity * quantity_size + x;
    const T* from = in + at + (strip.begin - reach) * pitch;
    T* to = out + at + (strip.begin - 2 * reach) * pitch;

    Row levels[Steps][kept] = {};
    Coming coming;
    HALOHEAP_UNROLL
    for (int i = 0; i < (batch == 1 ? ahead : batch); ++i, from += pitch)
      coming.rows[i] = load(lane, from, true);
    const int rows = strip.end - strip.begin + 2 * reach;
    for (int base = 0; base < rows; base += turn) {
      HALOHEAP_UNROLL
      for (int phase = 0; phase < turn; ++phase, to += pitch) {
        const int number = base + phase;
        Columns row = next_row(lane, coming, phase % ahead, from, rows - number);
        HALOHEAP_UNROLL
        for (int level = 0; level < Steps; ++level)
          row = step<edge>(lane, levels[level], phase % kept, row,
                           strip.begin - reach + number - level * radius);
        if (stores && number >= 2 * reach && number < rows) store(to, row, strip.lo_x - x, strip.hi_x - x);
      }
    }
  }

  struct Coming {
    Columns rows[ahead];
    Columns last;
  };

  /// Takes the next row, and asks for one that comes later. A warp that waits for a load waits for all that
  /// are under way. Hence batches, where registers last: the wait for one comes before the next is asked for.
  /// Else the last two rows of a turn are asked for together, so that the wait for all four, at its end, is
  /// two rows away.
  /// @param at number in the turn of `ahead` rows
  /// @param left so many are still to come, this one included
  KOKKOS_FORCEINLINE_FUNCTION Columns next_row(const Lane& lane, Coming& coming, int at, const T*& from,
                                               int left) const {
    if constexpr (batch > 1) {
      if (at % batch == 0) {
        await_packs<batch>(coming.rows, at);
        HALOHEAP_UNROLL
        for (int i = 0; i < batch; ++i, from += pitch)
          coming.rows[(at + batch + i) % ahead] = load(lane, from, batch + i < left);
      }
      return coming.rows[at];
    } else {
      if (at == ahead - 1) return coming.last;
      const Columns row = coming.rows[at];
      if (at == ahead - 2) coming.last = coming.rows[ahead - 1];
      coming.rows[at] = load(lane, from, ahead < left);
      from += pitch;
      if (at == ahead - 2) {
        coming.rows[ahead - 1] = load(lane, from, ahead + 1 < left);
        from += pitch;
      }
      return row;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static Columns load(const Lane& lane, const T* from, bool wanted) {
    return lane.loads && wanted ? *reinterpret_cast<const Columns*>(from) : Columns{};
  }

  /// Takes a row of one level and gives the row of the next level that can be computed with it.
  /// @param y the row's place in the grid
  template <bool edge>
  KOKKOS_FORCEINLINE_FUNCTION Columns step(const Lane& lane, Row (&before)[kept], int oldest,
                                           Columns columns_of_row, int y) const {
    if constexpr (edge) impose_x(lane, columns_of_row);
    Row row = with_ends(lane, columns_of_row);
    if constexpr (edge) impose_y(before, oldest, row, y);
    const auto middle = middle_row(lane, before[(oldest + radius) % kept]);
    Columns result;
    HALOHEAP_UNROLL
    for (int i = 0; i < Width; ++i)
      result.value[i] = weighted_sum(coefficients, Neighbours{before, row, middle, oldest, i});
    before[oldest] = row;
    return result;
  }

  using Middle = RowWindow<T, Width, radius>;

  struct Neighbours {
    const Row (&before)[kept];
    const Row& row;
    const Middle& middle;
    int oldest, column;

    KOKKOS_FORCEINLINE_FUNCTION T operator()(grid::Index dx, grid::Index dy, grid::Index) const {
      if (dy == 0) return middle.value[radius + column + dx];
      const int offset = Points::star ? 0 : radius;
      if (dy == radius) return row.value[offset + column + dx];
      return before[(oldest + radius + dy) % kept].value[offset + column + dx];
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION static Middle window_of(const Lane& lane, const Columns& row) {
    Middle window;
    HALOHEAP_UNROLL
    for (int i = 0; i < Width; ++i) window.value[radius + i] = row.value[i];
    const unsigned left = (lane.lanes.lane() + lanes_a_warp - 1) % lanes_a_warp,
                   right = (lane.lanes.lane() + 1) % lanes_a_warp;
    HALOHEAP_UNROLL
    for (int i = 0; i < radius; ++i) {
      window.value[i] = lane.lanes.shuffle(row.value[Width - radius + i], left);
      window.value[radius + Width + i] = lane.lanes.shuffle(row.value[i], right);
    }
    return window;
  }

  KOKKOS_FORCEINLINE_FUNCTION static Row with_ends(const Lane& lane, const Columns& row) {
    if constexpr (Points::star)
      return row;
    else
      return window_of(lane, row);
  }

  KOKKOS_FORCEINLINE_FUNCTION static Middle middle_row(const Lane& lane, const Row& row) {
    if constexpr (Points::star)
      return window_of(lane, row);
    else
      return row;
  }

  KOKKOS_FORCEINLINE_FUNCTION void impose_x(const Lane& lane, Columns& row) const {
    const auto low = edges.low[0], high = edges.high[0];
    if (low.bounded && low.fixed) {
      HALOHEAP_UNROLL
      for (int i = 0; i < Width; ++i)
        if (lane.x + i < low.at) row.value[i] = edges.value;
    }
    if (high.bounded && high.fixed) {
      HALOHEAP_UNROLL
      for (int i = 0; i < Width; ++i)
        if (lane.x + i >= high.at) row.value[i] = edges.value;
    }
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) {
      if (low.bounded && !low.fixed) mirror(lane, row, low.at - 1 - j, low.at + j);
      if (high.bounded && !high.fixed) mirror(lane, row, high.at + j, high.at - 1 - j);
    }
  }

  /// row[target] = row[source], in columns of the grid. A target beyond the strip's last column is nobody's;
  /// where the source is beyond it, the target is not needed.
  KOKKOS_FORCEINLINE_FUNCTION static void mirror(const Lane& lane, Columns& row, int target, int source) {
    const auto column = static_cast<unsigned>(source - lane.first);
    T value = row.value[0];
    HALOHEAP_UNROLL
    for (unsigned i = 1; i < Width; ++i)
      if (column % Width == i) value = row.value[i];
    value = lane.lanes.shuffle(value, column / Width % lanes_a_warp);
    HALOHEAP_UNROLL
    for (int i = 0; i < Width; ++i)
      if (lane.x + i == target) row.value[i] = value;
  }

  /// Rows beyond the low side are set when the last of those has come that they mirror, rows beyond the high
  /// side when they come themselves.
  KOKKOS_FORCEINLINE_FUNCTION void impose_y(Row (&before)[kept], int oldest, Row& row, int y) const {
    const auto low = edges.low[1], high = edges.high[1];
    if ((low.bounded && low.fixed && y < low.at) || (high.bounded && high.fixed && y >= high.at))
      for (T& value : row.value) value = edges.value;
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) {
      if (low.bounded && !low.fixed && y == low.at + radius - 1)
        back(before, oldest, radius + j) = j == radius - 1 ? row : back(before, oldest, radius - 1 - j);
      if (high.bounded && !high.fixed && y == high.at + j) row = back(before, oldest, 2 * j + 1);
    }
  }

  /// The row that came so many rows before.
  KOKKOS_FORCEINLINE_FUNCTION static Row& back(Row (&before)[kept], int oldest, int rows) {
    return before[(oldest + kept - rows) % kept];
  }
};

/// The kernel: a strip for each warp.
template <class StripKernel>
struct FusedStrips {
  StripKernel kernel;
  StreamTiles<2> strips;

  KOKKOS_FUNCTION void operator()(grid::Index thread) const {
    kernel.run(strips.find(static_cast<unsigned>(thread / StripKernel::lanes_a_warp), StripKernel::columns));
  }
};

}  // namespace haloheap::stencil::detail

#endif
