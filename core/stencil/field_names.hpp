// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FIELD_NAMES_HPP
#define HALOHEAP_CORE_STENCIL_FIELD_NAMES_HPP

#include <haloheap/core/stencil/outside.hpp>
#include <haloheap/core/stencil/rule.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace haloheap::stencil {

namespace detail {

std::vector<Outside> in_order(const std::vector<std::string>& names,
                              const std::vector<std::pair<std::string, Outside>>& by_name);

}  // namespace detail

/// The names that a rule gives its fields, in their order; field_0, field_1 and so on if it gives none.
template <class Rule>
std::vector<std::string> field_names() {
  std::vector<std::string> names;
  for (int field = 0; field < Rule::Fields::count; ++field) {
    if constexpr (detail::SaysNames<Rule>)
      names.emplace_back(Rule::names[field]);
    else
      names.push_back("field_" + std::to_string(field));
  }
  return names;
}

/// The number of a field that has a name, as a constant: nothing else compiles than one of the rule's names.
///
///     stencil::cells_of<Flow, stencil::field_number<Flow>("speed")>(now, layout)
template <class Rule>
consteval int field_number(std::string_view name) {
  static_assert(detail::SaysNames<Rule>,
                "a field is asked for by its name, and the update rule has none: static constexpr "
                "std::string_view names[2] = {...}, one a field");
  int field = 0;
  if constexpr (detail::SaysNames<Rule>)
    while (Rule::names[field] != name) ++field;  // behind the last one there is no constant
  return field;
}

/// What is outside one side of the grid, by the names of fields in any order:
///
///     const Outside wall = Outside::mirror();
///     sides.low[0] = stencil::outside_of<Flow>({{"speed", Outside::value(0)}, {"depth", wall}});
///
/// @throws UsageError for a name that is none of the rule's, and for a field that has no entry or two
template <class Rule>
std::vector<Outside> outside_of(const std::vector<std::pair<std::string, Outside>>& by_name) {
  return detail::in_order(field_names<Rule>(), by_name);
}

}  // namespace haloheap::stencil

#endif
