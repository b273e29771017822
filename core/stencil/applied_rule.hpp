// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_APPLIED_RULE_HPP
#define HALOHEAP_CORE_STENCIL_APPLIED_RULE_HPP

#include <haloheap/core/stencil/rule.hpp>

#include <Kokkos_Core.hpp>

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

/// What the rule returns for a cell, however it is written.
template <class Rule, class Cell>
KOKKOS_FORCEINLINE_FUNCTION auto applied(const Rule& rule, const Cell& cell) {
  if constexpr (InTwoParts<Rule>)
    return rule.finish(cell, rule.begin(BelowOf<Rule, Cell>{cell}));
  else
    return rule(cell);
}

}  // namespace haloheap::stencil::detail

#endif
