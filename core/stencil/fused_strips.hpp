// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_STRIPS_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_STRIPS_HPP

#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/stencil/await_packs.hpp>
#include <haloheap/core/stencil/measure_tally.hpp>
#include <haloheap/core/stencil/rule_edges.hpp>
#include <haloheap/core/stencil/stream_tiles.hpp>
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
  /// Rows that are loaded together; 1: each by itself. See next_row. Chosen by measurement on an H200.
  static constexpr int batch = radius > 2 ? radius : sizeof(T) == 8 ? 2 : Steps <= 4 ? 4 : 1;
  static constexpr int ahead = batch == 1 ? 4 : 2 * batch;  ///< rows that are there or on their way
  /// Rows of one turn of the loop, so that every row has a fixed place in the registers.
  static constexpr int turn = kept > ahead ? kept : ahead;
  static_assert(turn % kept == 0 && turn % ahead == 0);

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
    bool loads;
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
    const int x = first + column;
    const Lane lane{lanes, first, x, x + Width > strip.lo_x - reach && x < strip.hi_x + reach};
    const bool stores = column >= margin && column < margin + columns && x < strip.hi_x;
    const grid::Index at = origin + strip.quantity * fields * quantity_size + x;
    InCell<Rule> from = in + at + (strip.begin - reach) * pitch;
    OutCell<Rule> to = out + at + (strip.begin - 2 * reach) * pitch;

    const Around<Rule> around = frame.read();
    TallySums<Tally> sums(tally);
    Row levels[Steps][fields][kept] = {};
    Coming coming[fields];
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) {
      HALOHEAP_UNROLL
      for (int i = 0; i < (batch == 1 ? ahead : batch); ++i)
        coming[field].rows[i] = load(lane, from + i * pitch, field, true);
    }
    from += (batch == 1 ? ahead : batch) * pitch;
    const int rows = strip.end - strip.begin + 2 * reach;
    for (int base = 0; base < rows; base += turn) {
      HALOHEAP_UNROLL
      for (int phase = 0; phase < turn; ++phase, to += pitch) {
        const int number = base + phase;
        Columns row[fields];
        next_rows(lane, coming, phase % ahead, from, rows - number, row);
        HALOHEAP_UNROLL
        for (int level = 0; level < Steps; ++level)
          step<edge>(lane, around, levels[level], phase % kept, row,
                     strip.begin - reach + number - level * radius, level);
        if (stores && number >= 2 * reach && number < rows) {
          const int y = strip.begin + number - 2 * reach, lo = strip.lo_x - x, hi = strip.hi_x - x;
          HALOHEAP_UNROLL
          for (int field = 0; field < fields; ++field) {
            store(to, field, quantity_size, row[field], lo, hi);
            const Row& before = levels[Steps - 1][field][(phase + radius) % kept];
            sums.template add_within<Width>(tally, row[field].value, before.value + ends, lo, hi, x, y, 0);
          }
          sums.add_cells(tally, row, lo, hi, {x, y, 0});
        }
      }
    }
    sums.put(thread, tally);
  }

  struct Coming {
    Columns rows[ahead];
    Columns last;
  };

  /// Takes the next row of each field, and asks for one that comes later. A warp that waits for a load waits
  /// for all that are under way. Hence batches, where registers last: the wait for one comes before the next
  /// is asked for. Else the last two rows of a turn are asked for together, so that the wait for all four, at
  /// its end, is two rows away.
  /// @param at number in the turn of `ahead` rows
  /// @param left so many are still to come, this one included
  KOKKOS_FORCEINLINE_FUNCTION void next_rows(const Lane& lane, Coming (&coming)[fields], int at,
                                             InCell<Rule>& from, int left, Columns (&row)[fields]) const {
    if constexpr (batch > 1) {
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) {
        if (at % batch == 0) {
          await_packs<batch>(coming[field].rows, at);
          HALOHEAP_UNROLL
          for (int i = 0; i < batch; ++i)
            coming[field].rows[(at + batch + i) % ahead] =
                load(lane, from + i * pitch, field, batch + i < left);
        }
        row[field] = coming[field].rows[at];
      }
      if (at % batch == 0) from += batch * pitch;
    } else {
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field)
        row[field] = next_row(lane, coming[field], at, from, field, left);
      if (at != ahead - 1) from += (at == ahead - 2 ? 2 : 1) * pitch;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Columns next_row(const Lane& lane, Coming& coming, int at,
                                               const InCell<Rule>& from, int field, int left) const {
    if (at == ahead - 1) return coming.last;
    const Columns row = coming.rows[at];
    if (at == ahead - 2) coming.last = coming.rows[ahead - 1];
    coming.rows[at] = load(lane, from, field, ahead < left);
    if (at == ahead - 2) coming.rows[ahead - 1] = load(lane, from + pitch, field, ahead + 1 < left);
    return row;
  }

  KOKKOS_FORCEINLINE_FUNCTION Columns load(const Lane& lane, const InCell<Rule>& from, int field,
                                           bool wanted) const {
    return lane.loads && wanted ? pack_at<Width>(from, field, quantity_size) : Columns{};
  }

  /// Takes a row of one level, and makes of it the row of the next level that can be computed with it.
  /// @param y the row's place in the grid
  template <bool edge>
  KOKKOS_FORCEINLINE_FUNCTION void step(const Lane& lane, const Around<Rule>& around,
                                        Row (&before)[fields][kept], int oldest,
                                        Columns (&columns_of_row)[fields], int y, int level) const {
    const Around<Rule> now = around.at_level(level);
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
    const Constants constants(now, {lane.x, y - radius, 0});
    HALOHEAP_UNROLL
    for (int i = 0; i < Width; ++i) {
      const Neighbours neighbours{before, row, middle, constants, oldest, i};
      const Values<T, fields> values = new_values(rule, neighbours, now, {lane.x + i, y - radius, 0});
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) columns_of_row[field].value[i] = values.value[field];
    }
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) before[field][oldest] = row[field];
  }

  using Middle = RowWindow<T, Width, radius>;
  using Constants = OwnConstants<Rule, Width>;

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
      if (edges.low[0].bounded) impose_column(lane, now, field, rows, false, edges.low[0].at - 1 - j, y);
      if (edges.high[0].bounded) impose_column(lane, now, field, rows, true, edges.high[0].at + j, y);
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
