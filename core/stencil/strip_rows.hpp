// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_STRIP_ROWS_HPP
#define HALOHEAP_CORE_STENCIL_STRIP_ROWS_HPP

#include <haloheap/core/grid/rounding.hpp>
#include <haloheap/core/stencil/cell.hpp>

#include <algorithm>
#include <bit>

namespace haloheap::stencil::detail {

/// The rows that a lane of a strip has asked memory for: its columns of each field, which it takes once, and
/// of the constants, which all steps of the pass read again. They lie in a ring of its platform.
template <class Rule, int Steps, int Width, class Platform>
class StripRows {
 public:
  using Traits = RuleTraits<Rule>;
  using Columns = Pack<typename Traits::T, Width>;
  using Constants = Pack<typename Traits::Constant, Width>;
  static constexpr int fields = Traits::fields, constants = Traits::constants, radius = Traits::radius;

  /// So many rows before a row is worked on it is asked for. Chosen by measurement on an H200: where a row is
  /// soon done, more are needed.
  static constexpr int ahead = Steps <= 4 && fields * sizeof(Columns) <= 16 ? 8 : 4;

 private:
  static constexpr int multiple_from(int n, int of) { return grid::detail::divide_up(n, of) * of; }
  static constexpr int unit =
      std::min<int>(16, constants > 0 ? std::max(sizeof(Columns), sizeof(Constants)) : sizeof(Columns));
  static constexpr int field_units = grid::detail::divide_up(sizeof(Columns), unit) * fields;
  static constexpr int constant_units = grid::detail::divide_up(sizeof(Constants), unit) * constants;
  // With a row of a field the registers of each level come round again, too.
  static constexpr int field_rows = multiple_from(ahead, 2 * radius);
  static constexpr int all_constant_rows = multiple_from((Steps - 1) * radius + ahead + 1, field_rows);
  static constexpr int bytes_with(int rows_of_constants) {
    return (field_rows * field_units + rows_of_constants * constant_units) * unit;
  }
  static constexpr int block_bytes = 48 * 1024;  ///< that any kernel may have

 public:
  /// Whether constants come this way: they do unless there are very many.
  static constexpr bool has_constants = constants > 0 &&
                                        bytes_with(all_constant_rows) * Platform::warp_size <= block_bytes;
  static constexpr int constant_rows = has_constants ? all_constant_rows : 0;
  /// Rows after which all is in the same places again. The code of a long turn would not fit the cache of
  /// instructions: there the constants' places are computed.
  static constexpr int turn = constant_rows <= 8 ? std::max(field_rows, constant_rows) : field_rows;
  static constexpr int lane_bytes = bytes_with(constant_rows);
  /// Threads of a block whose rings there is room for.
  static constexpr int threads =
      Platform::warp_size * static_cast<int>(std::bit_floor(static_cast<unsigned>(
                                std::clamp(block_bytes / lane_bytes / Platform::warp_size, 1, 4))));

  struct Number {
    int row;      ///< from 0 on
    int in_turn;  ///< the same, or less by whole turns: constant where registers depend on it
  };

  /// Asks for a row of the fields, and of the constants. Each call is a group for `await`.
  /// @param from its first cell in the first field; zeros come unless it is `wanted`
  /// @param cell the first one that is computed when the row has come
  KOKKOS_FORCEINLINE_FUNCTION void ask(const Number& number, const InCell<Rule>& from, grid::Index field_size,
                                       bool wanted, const Around<Rule>& around, const grid::Triple& cell) {
    static_assert(lane_bytes * threads <= block_bytes);
    if constexpr (has_constants) {
      HALOHEAP_UNROLL
      for (int i = 0; i < constants; ++i)
        ring_.template ask<false>(constant_place(number, i), around.template pack_at_nearest<Width>(i, cell),
                                  true);
    }
    // Neighbouring strips read some of the same columns. Where constants take much of the memory that rings
    // and the first-level cache have together, that does not help.
    constexpr bool shared = !has_constants;
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field)
      with_pack<Width>(from, field, field_size,
                       [&](auto* pack) { ring_.template ask<shared>(place(number, field), pack, wanted); });
    ring_.close();
  }

  /// Waits for all rows that were asked for, but for the last `ahead` - 1.
  KOKKOS_FORCEINLINE_FUNCTION void await() { ring_.template await<ahead - 1>(); }

  /// A row that has come.
  KOKKOS_FORCEINLINE_FUNCTION Columns take(const Number& number, int field) const {
    Columns columns;
    with_stored_type<Rule>(field, [&]<class Stored>() {
      const auto pack = ring_.template take<Pack<Stored, Width>>(place(number, field));
      columns = as_computed<typename Traits::T>(pack);
    });
    return columns;
  }
  /// What a step of the pass needs when a row has come.
  /// @param cell the first one that it computes
  KOKKOS_FORCEINLINE_FUNCTION OwnConstants<Rule, Width> take_constants(const Number& number, int level,
                                                                       const Around<Rule>& around,
                                                                       const grid::Triple& cell) const {
    if constexpr (has_constants) {
      OwnConstants<Rule, Width> own;
      HALOHEAP_UNROLL
      for (int i = 0; i < constants; ++i)
        own.values[i] = ring_.template take<Constants>(constant_place(number, i, level * radius));
      return own;
    } else {
      return {around, cell};
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int place(const Number& number, int field) {
    return number.in_turn % field_rows * field_units + field * (field_units / fields);
  }
  /// @param before so many rows before
  KOKKOS_FORCEINLINE_FUNCTION static int constant_place(const Number& number, int i, int before = 0) {
    const int row =
        (turn % constant_rows == 0 ? number.in_turn : number.row) + Steps * constant_rows - before;
    return field_rows * field_units + row % constant_rows * constant_units + i * (constant_units / constants);
  }

  typename Platform::template LaneRing<unit, field_rows * field_units + constant_rows * constant_units,
                                       threads>
      ring_;
};

}  // namespace haloheap::stencil::detail

#endif
