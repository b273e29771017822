// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_APPLIED_RULE_HPP
#define HALOHEAP_CORE_STENCIL_APPLIED_RULE_HPP

#include <haloheap/core/stencil/rule.hpp>

#include <Kokkos_Core.hpp>

#include <utility>

namespace haloheap::stencil::detail {

/// What the first part of a rule in two parts is called with, of any cell.
template <class Rule, class Cell>
struct BelowOf {
  const Cell& cell;

  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int field) const {
    if constexpr (Rule::dims == 2)
      return cell(field, 0, -Rule::radius);
    else
      return cell(field, 0, 0, -Rule::radius);
  }
};

/// A row of neighbours of any cell.
template <class Cell>
struct RowOf {
  const Cell& cell;
  int dy, dz;

  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int field, int dx = 0) const { return cell(field, dx, dy, dz); }
};

template <class Rule, class Cell>
KOKKOS_FORCEINLINE_FUNCTION auto with_row(const Rule& rule, const Cell& cell, int dy, int dz,
                                          const typename Rule::Sum& sum) {
  return rule.add(RowOf<Cell>{cell, dy, dz}, dy, dz, sum);
}

/// The rows of the neighbours, added up one after the other.
template <class Rule, class Cell, int... I>
KOKKOS_FORCEINLINE_FUNCTION auto sum_of_rows(const Rule& rule, const Cell& cell,
                                             std::integer_sequence<int, I...>) {
  constexpr int radius = Rule::radius, side = 2 * radius + 1;
  typename Rule::Sum sum{};
  ((sum = with_row(rule, cell, I % side - radius, Rule::dims == 2 ? 0 : I / side - radius, sum)), ...);
  return sum;
}

/// What the rule returns for a cell, however it is written.
template <class Rule, class Cell>
KOKKOS_FORCEINLINE_FUNCTION auto applied(const Rule& rule, const Cell& cell) {
  constexpr int side = 2 * Rule::radius + 1, rows = Rule::dims == 2 ? side : side * side;
  if constexpr (InRows<Rule>)
    return rule.finish(cell, sum_of_rows(rule, cell, std::make_integer_sequence<int, rows>()));
  else if constexpr (InTwoParts<Rule>)
    return rule.finish(cell, rule.begin(BelowOf<Rule, Cell>{cell}));
  else
    return rule(cell);
}

}  // namespace haloheap::stencil::detail

#endif
