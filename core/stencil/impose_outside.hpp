// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_IMPOSE_OUTSIDE_HPP
#define HALOHEAP_CORE_STENCIL_IMPOSE_OUTSIDE_HPP

#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/grid/for_cells.hpp>
#include <haloheap/core/stencil/rule_edges.hpp>

#include <vector>

namespace haloheap::stencil::detail {

/// Writes what a rule's fields have outside the grid, from cells inside. One cell of a set of fields a
/// thread.
template <class Rule>
struct ImposeOutside {
  static constexpr int fields = RuleTraits<Rule>::fields;
  using T = typename RuleTraits<Rule>::T;

  OutCell<Rule> data;
  grid::FieldLayout layout;
  Rule rule;
  FrameOf<Rule> frame;
  RuleEdges<Rule> edges;

  KOKKOS_FUNCTION void operator()(const grid::Triple& cell, int set) const {
    const Around<Rule> around = frame.read();
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) {
      if constexpr (RuleTraits<Rule>::plain_sides)
        put(data + layout.at(cell, set * fields), field, layout.quantity_size,
            edges.beyond_plain(field, cell,
                               [&](const grid::Triple& source) { return inside(field, source, set); }));
      else if constexpr (SeesFieldsOutside<Rule>)
        put(data + layout.at(cell, set * fields), field, layout.quantity_size,
            beyond<RuleTraits<Rule>::dims - 1>(around, field, cell, set));
      else
        put(data + layout.at(cell, set * fields), field, layout.quantity_size,
            edges.beyond(rule, around, field, cell, inside(field, edges.source(field, cell), set)));
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION T inside(int field, const grid::Triple& cell, int set) const {
    return value_at(data + layout.at(cell, set * fields), field, layout.quantity_size);
  }

  /// What a cell has that may be outside in the dimensions up to `dim`, the last of which has the last word.
  template <int dim>
  KOKKOS_FUNCTION T beyond(const Around<Rule>& around, int field, const grid::Triple& cell, int set) const {
    if constexpr (dim < 0) {
      return inside(field, cell, set);
    } else {
      grid::Triple source = cell;
      source[dim] = edges.source(field, dim, cell[dim]);
      T value[1] = {beyond<dim - 1>(around, field, source, set)};
      if (source[dim] != cell[dim])
        edges.beyond(rule, around, field, dim, cell[dim] > source[dim], cell, value,
                     [&](int other, int /*i*/) { return beyond<dim - 1>(around, other, source, set); });
      return value[0];
    }
  }
};

template <class Rule>
void impose_outside(const backend::Exec& exec, const ImposeOutside<Rule>& kernel,
                    const std::vector<grid::Box>& boxes) {
  grid::for_cells(exec, "haloheap::stencil::impose_outside", boxes,
                  kernel.layout.quantities / RuleTraits<Rule>::fields, kernel);
}

}  // namespace haloheap::stencil::detail

#endif
