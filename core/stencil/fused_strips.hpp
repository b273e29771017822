// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_STRIPS_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_STRIPS_HPP

#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/stencil/measure_tally.hpp>
#include <haloheap/core/stencil/rule_edges.hpp>
#include <haloheap/core/stencil/stream_tiles.hpp>
#include <haloheap/core/stencil/strip_rows.hpp>
#include <haloheap/core/stencil/sweep_tiles.hpp>

#include <type_traits>

namespace haloheap::stencil::detail {

/// Several steps of a 2D update rule in one pass: a warp streams down a strip of columns, `Width` columns a
/// lane. Of every step, called a level here, the last 2 * radius rows of each field stay in registers; a row
/// that comes from memory passes through all levels, each of which gives a row that lies `radius` higher.
/// Neighbours in x come from the neighbouring lanes. What the outermost columns and the first and last rows
/// of a strip lack of their neighbours spreads by `radius` a level: those cells are computed and not stored.
/// @tparam Tally what is made of the stored cells: MeasureTally, ResidualTally or NoTally
template <class Rule, int Steps, int Width, class Platform = haloheap::lanes::Platform, class Tally = NoTally>
struct FusedStrip {
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;
  static_assert(Traits::dims == 2);
  static constexpr int width = Width;
  static constexpr int fields = Traits::fields;
  static constexpr int radius = Traits::radius;
  static constexpr int reach = Steps * radius;
  static constexpr int lanes_a_warp = Platform::warp_size;
  static constexpr int margin = (reach + Width - 1) / Width * Width;  ///< columns that are not stored
  static constexpr int columns = lanes_a_warp * Width - 2 * margin;   ///< columns that are
  static constexpr TileShape tile() { return {columns, 1, Width, margin, reach}; }
  static constexpr int kept = 2 * radius;  ///< rows of a level
  using Rows = StripRows<Rule, Steps, Width, Platform>;
  static_assert(Rows::turn % kept == 0);

  using Lanes = std::decay_t<decltype(Platform::Lanes::whole_warp())>;
  using Columns = Pack<T, Width>;
  /// The box needs the ends of every row, the star only those of the middle one.
  using Row = std::conditional_t<Traits::star, Columns, RowWindow<T, Width, radius>>;
  static constexpr int ends = Traits::star ? 0 : radius;  ///< columns of a row before the lane's

  InCell<Rule> in;
  OutCell<Rule> out;
  grid::Index origin, pitch, quantity_size;
  Rule rule;
  FrameOf<Rule> frame;
  RuleEdges<Rule> edges;
  Tally tally;

  /// @param thread that runs it, one of a warp
  KOKKOS_FORCEINLINE_FUNCTION void run(const StreamTile& strip, grid::Index thread) const {
    const int first = strip.x - margin;
    // Few warps meet the edges of the grid; the others are spared the checks.
    if (edges.crossed_by(0, first, first + lanes_a_warp * Width) ||
        edges.crossed_by(1, strip.begin - reach, strip.end + reach))
      along_edge(*this, strip, thread);
    else
      stream<false>(strip, thread);
  }

 private:
  /// What a lane knows all along.
  struct Lane {
    Lanes lanes;
    int first, x;  ///< first column of the warp, and of the lane
    /// Whether the warp computes beyond a side of the grid.
    bool below_x, above_x, along_y;
  };

  // By itself, or what it needs would push values of the other path out of the registers. By value, or all
  // warps would copy the kernel's arguments, only to have something whose address can be taken.
  HALOHEAP_NOINLINE KOKKOS_FUNCTION static void along_edge(FusedStrip strip_kernel, StreamTile strip,
                                                           grid::Index thread) {
    strip_kernel.template stream<true>(strip, thread);
  }

  template <bool edge>
  KOKKOS_FORCEINLINE_FUNCTION void stream(const StreamTile& strip, grid::Index thread) const {
    const Lanes lanes = Platform::Lanes::whole_warp();
    const int first = strip.x - margin, column = static_cast<int>(lanes.lane()) * Width;
    const int x = first + column, first_y = strip.begin - reach;
    const Lane lane{lanes,
                    first,
                    x,
                    edges.low[0].bounded && first < edges.low[0].at,
                    edges.high[0].bounded && first + lanes_a_warp * Width > edges.high[0].at,
                    edges.crossed_by(1, first_y, strip.end + reach)};
    const bool loads = x + Width > strip.lo_x - reach && x < strip.hi_x + reach;
    const bool stores = column >= margin && column < margin + columns && x < strip.hi_x;
    const int count = strip.end - strip.begin + 2 * reach;
    const grid::Index at = origin + strip.quantity * fields * quantity_size + x;
    InCell<Rule> from = in + at + first_y * pitch;
    OutCell<Rule> to = out + at + (first_y - reach) * pitch;

    const Around<Rule> around = frame.read();
    TallySums<Tally> sums(tally);
    Row levels[Steps][fields][kept] = {};
    Rows rows;
    const auto ask = [&](const typename Rows::Number& number) {
      rows.ask(number, from, quantity_size, loads && number.row < count, around,
               {x, first_y + number.row - radius, 0});
      from += pitch;
    };
    HALOHEAP_UNROLL
    for (int number = 0; number < Rows::ahead; ++number) ask({number, number});
    Columns next[fields];  // taken a row ahead, since that takes some time as well
    rows.await();
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) next[field] = rows.take({0, 0}, field);

    // So that every row has a fixed place in the registers, the loop makes a turn of rows at once. The path
    // along sides is so long that one row of it is all that the cache of instructions takes: there registers
    // are moved.
    constexpr int turn = edge ? 1 : Rows::turn;
    HALOHEAP_KEEP_LOOP
    for (int base = 0; base < count; base += turn) {
      HALOHEAP_UNROLL
      for (int phase = 0; phase < turn; ++phase, to += pitch) {
        const int number = base + phase, place = edge ? number : phase;
        ask({number + Rows::ahead, place + Rows::ahead});
        rows.await();
        Columns row[fields];
        HALOHEAP_UNROLL
        for (int field = 0; field < fields; ++field) {
          row[field] = next[field];
          next[field] = rows.take({number + 1, place + 1}, field);
        }
        HALOHEAP_UNROLL
        for (int level = 0; level < Steps; ++level) {
          const int y = first_y + number - level * radius;
          const Around<Rule> now = around.at_level(level);
          const auto constants = rows.take_constants({number, place}, level, now, {x, y - radius, 0});
          step<edge>(lane, now, constants, levels[level], edge ? 0 : phase % kept, row, y);
        }
        if (stores && number >= 2 * reach && number < count)
          put(strip, to, row, levels[Steps - 1], edge ? radius - 1 : (phase + radius) % kept, x,
              first_y + number - reach, sums);
      }
    }
    sums.put(thread, tally);
  }

  /// Stores a row that the last step has made, and finds what is asked of it.
  /// @param y the row's place in the grid; `middle` is where it is among the rows before that step
  KOKKOS_FORCEINLINE_FUNCTION void put(const StreamTile& strip, const OutCell<Rule>& to,
                                       const Columns (&row)[fields], const Row (&before)[fields][kept],
                                       int middle, int x, int y, TallySums<Tally>& sums) const {
    const int lo = strip.lo_x - x, hi = strip.hi_x - x;
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) {
      store(to, field, quantity_size, row[field], lo, hi);
      sums.template add_within<Width>(tally, row[field].value, before[field][middle].value + ends, lo, hi, x,
                                      y, 0);
    }
    sums.add_cells(tally, row, lo, hi, {x, y, 0});
  }

  using Middle = RowWindow<T, Width, radius>;
  using Constants = OwnConstants<Rule, Width>;

  /// Takes a row of one level, and makes of it the row of the next level that can be computed with it.
  /// @param oldest which of the rows before comes first, and is replaced; along sides it is the first
  /// @param y the row's place in the grid
  template <bool edge>
  KOKKOS_FORCEINLINE_FUNCTION void step(const Lane& lane, const Around<Rule>& now, const Constants& constants,
                                        Row (&before)[fields][kept], int oldest,
                                        Columns (&columns_of_row)[fields], int y) const {
    Row row[fields];
    Middle middle[fields];
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) {
      if constexpr (edge) impose_x(lane, now, field, columns_of_row, y);
      row[field] = with_ends(lane, columns_of_row[field]);
      if constexpr (edge && !SeesFieldsOutside<Rule>) impose_y(lane, now, field, before, oldest, row, y);
      if constexpr (!edge || !SeesFieldsOutside<Rule>)
        middle[field] = middle_row(lane, before[field][(oldest + radius) % kept]);
    }
    if constexpr (edge && SeesFieldsOutside<Rule>) {
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) {
        impose_y(lane, now, field, before, oldest, row, y);
        middle[field] = middle_row(lane, before[field][(oldest + radius) % kept]);
      }
    }
    HALOHEAP_UNROLL
    for (int i = 0; i < Width; ++i) {
      const Neighbours neighbours{before, row, middle, constants, oldest, i};
      const Values<T, fields> values = new_values(rule, neighbours, now, {lane.x + i, y - radius, 0});
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) columns_of_row[field].value[i] = values.value[field];
    }
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) {
      if constexpr (edge) {
        HALOHEAP_UNROLL
        for (int i = 0; i + 1 < kept; ++i) before[field][i] = before[field][i + 1];
      }
      before[field][edge ? kept - 1 : oldest] = row[field];
    }
  }

  struct Neighbours {
    static constexpr bool exact = false;

    const Row (&before)[fields][kept];
    const Row (&row)[fields];
    const Middle (&middle)[fields];
    const Constants& constants;
    int oldest, column;

    KOKKOS_FORCEINLINE_FUNCTION auto constant(int field) const requires(Traits::constants > 0) {
      return constants(field, column);
    }
    KOKKOS_FORCEINLINE_FUNCTION T operator()(int field, int dx, int dy, int /*dz*/) const {
      if (dy == 0) return middle[field].value[radius + column + dx];
      if (dy == radius) return row[field].value[ends + column + dx];
      return before[field][(oldest + radius + dy) % kept].value[ends + column + dx];
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
    if constexpr (Traits::star)
      return row;
    else
      return window_of(lane, row);
  }

  KOKKOS_FORCEINLINE_FUNCTION static Middle middle_row(const Lane& lane, const Row& row) {
    if constexpr (Traits::star)
      return window_of(lane, row);
    else
      return row;
  }

  /// Sets the columns left and right of the grid, as far as cells inside have them as neighbours.
  KOKKOS_FORCEINLINE_FUNCTION void impose_x(const Lane& lane, const Around<Rule>& now, int field,
                                            Columns (&rows)[fields], int y) const {
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) {
      if (lane.below_x) impose_column(lane, now, field, rows, false, edges.low[0].at - 1 - j, y);
      if (lane.above_x) impose_column(lane, now, field, rows, true, edges.high[0].at + j, y);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void impose_column(const Lane& lane, const Around<Rule>& now, int field,
                                                 Columns (&rows)[fields], bool is_high, int target,
                                                 int y) const {
    Columns& row = rows[field];
    T value[1] = {row.value[0]};
    const auto source = static_cast<int>(edges.source(field, 0, target));
    if ((is_high ? edges.high[0] : edges.low[0]).kind(field) != Outside::Kind::value)
      value[0] = value_at(lane, row, source);
    edges.beyond(rule, now, field, 0, is_high, {target, y, 0}, value,
                 [&](int other, int /*i*/) { return value_at(lane, rows[other], source); });
    HALOHEAP_UNROLL
    for (int i = 0; i < Width; ++i)
      if (lane.x + i == target) row.value[i] = value[0];
  }

  /// The row's value in a column of the grid. One beyond the strip's last column is nobody's: what depends on
  /// it is not needed.
  KOKKOS_FORCEINLINE_FUNCTION static T value_at(const Lane& lane, const Columns& row, int x) {
    const auto column = static_cast<unsigned>(x - lane.first);
    T value = row.value[0];
    HALOHEAP_UNROLL
    for (unsigned i = 1; i < Width; ++i)
      if (column % Width == i) value = row.value[i];
    return lane.lanes.shuffle(value, column / Width % lanes_a_warp);
  }

  /// Rows beyond the low side are set when the last of those has come that they depend on, rows beyond the
  /// high side when they come themselves.
  KOKKOS_FORCEINLINE_FUNCTION void impose_y(const Lane& lane, const Around<Rule>& now, int field,
                                            Row (&before)[fields][kept], int oldest, Row (&row)[fields],
                                            int y) const {
    if (!lane.along_y) return;
    const auto &low = edges.low[1], &high = edges.high[1];
    // The row of a field that came so many rows before this one.
    const auto came_before = [&](int of, int rows) -> Row& {
      return rows == 0 ? row[of] : before[of][(oldest + kept - rows) % kept];
    };
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) {
      if (low.bounded && y == low.at + radius - 1) {
        const bool nearest = low.kind(field) == Outside::Kind::outflow;
        Row outside = came_before(field, radius - 1 - j);
        if (nearest) outside = came_before(field, radius - 1);
        edges.beyond(rule, now, field, 1, false, {lane.x - ends, low.at - 1 - j, 0}, outside.value,
                     [&](int other, int i) { return came_before(other, radius - 1 - j).value[i]; });
        came_before(field, radius + j) = outside;
      }
      if (high.bounded && y == high.at + j) {
        const bool nearest = high.kind(field) == Outside::Kind::outflow;
        row[field] = came_before(field, 2 * j + 1);
        if (nearest) row[field] = came_before(field, j + 1);
        edges.beyond(rule, now, field, 1, true, {lane.x - ends, y, 0}, row[field].value,
                     [&](int other, int i) { return came_before(other, 2 * j + 1).value[i]; });
      }
    }
  }
};

/// The kernel: a strip for each warp.
template <class StripKernel>
struct FusedStrips {
  StripKernel kernel;
  StreamTiles<2> strips;

  KOKKOS_FUNCTION void operator()(grid::Index thread) const {
    kernel.run(strips.find(static_cast<unsigned>(thread / StripKernel::lanes_a_warp), StripKernel::columns),
               thread);
  }
};

}  // namespace haloheap::stencil::detail

#endif
