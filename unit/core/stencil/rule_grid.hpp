// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_RULE_GRID_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_RULE_GRID_HPP

#include <haloheap/core/stencil/passes.hpp>
#include <haloheap/core/stencil/rule_reference.hpp>
#include <haloheap/unit/core/stencil/rule_fields.hpp>

#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace haloheap::testing {

/// Some sets of a rule's fields on a grid, or on a part of it as one of several ranks would have it, with a
/// halo that holds the neighbours' values; and what the rule makes of them.
template <class Rule>
class RuleGrid {
 public:
  using Traits = stencil::RuleTraits<Rule>;
  using T = typename Traits::T;
  using Constant = typename Traits::Constant;
  using InMemory = RuleFields<Rule>;
  using Value = typename InMemory::Value;

  /// Fields of several types have one set, as in every array that they lie in.
  /// @param own the part of the grid
  RuleGrid(Rule rule, stencil::SideRules sides, const grid::Triple& cells, const grid::Box& own, int sets)
      : rule_(std::move(rule)),
        sides_(std::move(sides)),
        cells_(cells),
        own_(own),
        sets_(InMemory::mixed ? 1 : sets) {
    for (int set = 0; set < sets_; ++set)
      start_.push_back(InMemory::start(product(cells), 3U + static_cast<unsigned>(set)));
    if constexpr (Traits::constants > 0)
      constants_ = start_values<Constant>(Traits::constants * product(cells), 17);
  }

  const Rule& rule() const { return rule_; }
  const stencil::SideRules& sides() const { return sides_; }
  int sets() const { return sets_; }

  /// With a halo for so many steps. @param done see Subdomain
  stencil::Subdomain subdomain(int steps, const grid::Index* done) const {
    stencil::Subdomain where{
        grid::make_field_layout(Traits::dims, {own_.extent(0), own_.extent(1), own_.extent(2)},
                                grid::Index{steps} * Traits::radius, Traits::fields * sets_,
                                stencil::detail::smallest_value_bytes<typename Rule::Fields>()),
        cells_,
        own_,
        {},
        done};
    for (int dim = 0; dim < Traits::dims; ++dim) where.periodic[dim] = sides_.periodic(dim);
    return where;
  }

  /// The rule's constants in a subdomain's memory, cells around the grid included; none, if it has none.
  std::vector<Constant> constants(const grid::FieldLayout& layout) const {
    std::vector<Constant> values(static_cast<std::size_t>(layout.size()));
    if (Traits::constants == 0) return {};
    for_each_cell(grown(layout.own_box(), Traits::dims, layout.halo.x), [&](const grid::Triple& cell) {
      grid::Triple at;
      for (int dim = 0; dim < 3; ++dim) at[dim] = source(dim, cell[dim] + own_.lo[dim]);
      for (int field = 0; field < Traits::constants; ++field)
        values[static_cast<std::size_t>(layout.at(cell, field))] = constants_[position(field, at)];
    });
    return values;
  }
  grid::FieldLayout constants_layout(const stencil::Subdomain& where) const {
    return grid::make_field_layout(Traits::dims, where.layout.own, where.layout.halo.x, Traits::constants,
                                   sizeof(Constant));
  }

  std::vector<Value> nothing(const stencil::Subdomain& where) const {
    return InMemory::unset_values(where.layout);
  }

  std::vector<Value> start(const stencil::Subdomain& where) const {
    std::vector<Value> values = nothing(where);
    const grid::FieldLayout& layout = where.layout;
    const grid::Box there = intersect(grown(layout.own_box(), Traits::dims, layout.halo.x), where.inside());
    for_each_cell(there, [&](const grid::Triple& cell) {
      grid::Triple at;
      for (int dim = 0; dim < 3; ++dim)
        at[dim] = ((cell[dim] + own_.lo[dim]) % cells_[dim] + cells_[dim]) % cells_[dim];
      for (int set = 0; set < sets_; ++set)
        for (int field = 0; field < Traits::fields; ++field)
          InMemory::set(values, layout, cell, set * Traits::fields + field,
                        start_[static_cast<std::size_t>(set)][position(field, at)]);
    });
    return values;
  }

  /// What differs in the own cells from the plain meaning of so many steps.
  std::string differences(const std::vector<Value>& result, const grid::FieldLayout& layout,
                          int steps) const {
    std::vector<T> found, expected;
    for (int set = 0; set < sets_; ++set) {
      stencil::RuleReference<Rule> reference(rule_, sides_, cells_, start_[static_cast<std::size_t>(set)],
                                             constants_);
      reference.advance_stages(steps);
      for (int field = 0; field < Traits::fields; ++field)
        for_each_cell(layout.own_box(), [&](const grid::Triple& cell) {
          const grid::Triple at{cell.x + own_.lo.x, cell.y + own_.lo.y, cell.z + own_.lo.z};
          found.push_back(InMemory::get(result, layout, cell, set * Traits::fields + field));
          expected.push_back(reference.values()[position(field, at)]);
        });
    }
    return difference(found, expected);
  }

 private:
  std::size_t position(int field, const grid::Triple& at) const {
    return static_cast<std::size_t>(((field * cells_.z + at.z) * cells_.y + at.y) * cells_.x + at.x);
  }

  /// The cell of the grid that has the same constants.
  grid::Index source(int dim, grid::Index at) const {
    const grid::Index n = cells_[dim], turn = sides_.periodic(dim) ? n : 2 * n;
    at = (at % turn + turn) % turn;
    return at < n ? at : 2 * n - 1 - at;
  }

  Rule rule_;
  stencil::SideRules sides_;
  grid::Triple cells_;
  grid::Box own_;
  int sets_;
  std::vector<std::vector<T>> start_;
  std::vector<Constant> constants_;
};

}  // namespace haloheap::testing

#endif
