// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RULE_EDGES_HPP
#define HALOHEAP_CORE_STENCIL_RULE_EDGES_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/stencil/cell.hpp>
#include <haloheap/core/stencil/outside.hpp>

namespace haloheap::stencil::detail {

/// Of cells whose rule sees one field there, or which no rule says.
struct NoFields {
  HALOHEAP_FUNCTION int operator()(int /*field*/, int /*i*/) const { return 0; }
};

/// SideRules by value in a kernel: where the grid ends in local coordinates, and what is beyond.
template <class Rule>
struct RuleEdges {
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;
  using Kind = Outside::Kind;
  static constexpr int fields = Traits::fields;

  struct Side {
    int at = 0;  ///< low side: the first cell inside; high side: the first cell outside
    bool bounded = false;
    Kind kinds[fields] = {};
    T numbers[fields] = {};

    /// Rules that know them mirrored or fixed alone spare their kernels the others.
    HALOHEAP_FUNCTION Kind kind(int field) const {
      if constexpr (Traits::plain_sides) return kinds[field] == Kind::value ? Kind::value : Kind::mirror;
      return kinds[field];
    }
    /// Whether cells outside have the value of the one inside that stands for them.
    HALOHEAP_FUNCTION bool copies(int field) const {
      return kind(field) == Kind::outflow || (kind(field) == Kind::mirror && numbers[field] == T{1});
    }
  };
  Side low[Traits::dims], high[Traits::dims];

  /// @param inside the whole grid in local coordinates
  RuleEdges(const SideRules& sides, const grid::Box& inside) {
    for (int dim = 0; dim < Traits::dims; ++dim) {
      if (sides.periodic(dim)) continue;
      set(low[dim], sides, dim, false, inside.lo[dim]);
      set(high[dim], sides, dim, true, inside.hi[dim]);
    }
  }

  HALOHEAP_FUNCTION bool crossed_by(int dim, grid::Index first, grid::Index last) const {
    return (low[dim].bounded && first < low[dim].at) || (high[dim].bounded && last > high[dim].at);
  }

  /// The cell of the grid whose value a cell outside depends on; a cell inside is its own. One dimension.
  HALOHEAP_FUNCTION grid::Index source(int field, int dim, grid::Index at) const {
    const Side &below = low[dim], &above = high[dim];
    if (below.bounded && at < below.at)
      return below.kind(field) == Kind::outflow ? below.at : 2 * grid::Index{below.at} - 1 - at;
    if (above.bounded && at >= above.at)
      return above.kind(field) == Kind::outflow ? above.at - 1 : 2 * grid::Index{above.at} - 1 - at;
    return at;
  }

  /// Turns the values of `Count` cells in x, each of the cell that stands for it in dimension `dim`, into
  /// what they have outside of one side of that dimension.
  /// @param cell the first one, which is inside in the dimensions after `dim`
  /// @param fields_of (field, i) gives the value of any field that stands for cell i, if the rule sees them
  template <int Count, class FieldsOf = NoFields>
  KOKKOS_FORCEINLINE_FUNCTION void beyond(const Rule& rule, const Around<Rule>& around, int field, int dim,
                                          bool is_high, const grid::Triple& cell, T (&values)[Count],
                                          const FieldsOf& fields_of = {}) const {
    const Side& side = is_high ? high[dim] : low[dim];
    if (side.kind(field) == Kind::value) {
      HALOHEAP_UNROLL
      for (int i = 0; i < Count; ++i) values[i] = side.numbers[field];
    } else if (!Traits::plain_sides && side.kind(field) == Kind::mirror) {
      HALOHEAP_UNROLL
      for (int i = 0; i < Count; ++i) values[i] = as_stored<Rule>(field, side.numbers[field] * values[i]);
    }
    if constexpr (HasOutside<Rule>) {
      if (side.kind(field) != Kind::rule) return;
      const auto distance =
          static_cast<int>(is_high ? cell[dim] - side.at : grid::Index{side.at} - 1 - cell[dim]);
      const auto at = [&](int i) {  // one at a time where x is crossed
        return grid::Triple{dim == 0 ? cell.x : cell.x + i, cell.y, cell.z};
      };
      if constexpr (SeesFieldsOutside<Rule>) {
        // Or arrays of registers, of which other fields are taken, would go to memory.
        HALOHEAP_UNROLL
        for (int i = 0; i < Count; ++i) {
          GhostOfRule<Rule> ghost{ghost_at(around, dim, is_high, distance, at(i), values[i]), {}, {}};
          HALOHEAP_UNROLL
          for (int other = 0; other < fields; ++other) ghost.fields[other] = fields_of(other, i);
          if constexpr (Traits::constants > 0) {
            HALOHEAP_UNROLL
            for (int number = 0; number < Traits::constants; ++number)
              ghost.constants[number] = around.at_nearest(number, at(i));
          }
          values[i] = as_stored<Rule>(field, rule.outside(field, ghost));
        }
      } else {
        for (int i = 0; i < Count; ++i)
          values[i] = as_stored<Rule>(
              field, rule.outside(field, ghost_at(around, dim, is_high, distance, at(i), values[i])));
      }
    }
  }

  /// What a cell outside has, or one inside: the dimensions act one after the other. Of rules that do not see
  /// other fields.
  /// @param value of its source
  KOKKOS_FORCEINLINE_FUNCTION T beyond(const Rule& rule, const Around<Rule>& around, int field,
                                       const grid::Triple& cell, T value) const {
    T values[1] = {value};
    grid::Triple at = source(field, cell);
    for (int dim = 0; dim < Traits::dims; ++dim) {
      at[dim] = cell[dim];
      if (low[dim].bounded && cell[dim] < low[dim].at)
        beyond(rule, around, field, dim, false, at, values);
      else if (high[dim].bounded && cell[dim] >= high[dim].at)
        beyond(rule, around, field, dim, true, at, values);
    }
    return values[0];
  }
  /// The same of rules with plain sides: what has a fixed value is read nowhere. Without references to sides,
  /// which would have devices copy all of them.
  /// @param value_at (cell) reads a cell inside
  template <class ValueAt>
  KOKKOS_FORCEINLINE_FUNCTION T beyond_plain(int field, const grid::Triple& cell,
                                             const ValueAt& value_at) const {
    grid::Triple at = cell;
    bool fixed = false;
    T number{};
    HALOHEAP_UNROLL
    for (int dim = 0; dim < Traits::dims; ++dim) {
      if (low[dim].bounded && cell[dim] < low[dim].at) {
        at[dim] = 2 * grid::Index{low[dim].at} - 1 - cell[dim];
        if (low[dim].kinds[field] == Kind::value) fixed = true, number = low[dim].numbers[field];
      } else if (high[dim].bounded && cell[dim] >= high[dim].at) {
        at[dim] = 2 * grid::Index{high[dim].at} - 1 - cell[dim];
        if (high[dim].kinds[field] == Kind::value) fixed = true, number = high[dim].numbers[field];
      }
    }
    return fixed ? number : value_at(at);
  }
  HALOHEAP_FUNCTION grid::Triple source(int field, grid::Triple cell) const {
    for (int dim = 0; dim < Traits::dims; ++dim) cell[dim] = source(field, dim, cell[dim]);
    return cell;
  }

 private:
  /// @param mirrored the field's value in the cell that is as far inside
  KOKKOS_FORCEINLINE_FUNCTION static Ghost<T> ghost_at(const Around<Rule>& around, int dim, bool is_high,
                                                       int distance, const grid::Triple& at, T mirrored) {
    static_assert(Traits::uses_index, "a rule that says what is outside may ask for its place");
    const grid::Triple place{around.place(0, at.x), around.place(1, at.y), around.place(2, at.z)};
    Ghost<T> ghost{mirrored, dim, is_high, distance, place};
    if constexpr (Traits::uses_step) {
      ghost.step = around.moment.step;
      ghost.stage = around.moment.stage;
    }
    return ghost;
  }

  static void set(Side& side, const SideRules& sides, int dim, bool is_high, grid::Index at) {
    side.at = static_cast<int>(at);
    side.bounded = true;
    for (int field = 0; field < fields; ++field) {
      const Outside& outside = sides.at(dim, is_high, field);
      side.kinds[field] = outside.kind;
      side.numbers[field] = static_cast<T>(outside.number);
      if (outside.kind == Kind::value) side.numbers[field] = as_stored<Rule>(field, side.numbers[field]);
    }
  }
};

}  // namespace haloheap::stencil::detail

#endif
