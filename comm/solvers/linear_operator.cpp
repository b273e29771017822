// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/halo/grid_terms.hpp>
#include <haloheap/comm/solvers/linear_operator.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/kokkos_running.hpp>

#include <algorithm>

namespace haloheap::comm::detail {
namespace {

void require_linear(const stencil::SideRules& sides, int dims) {
  for (std::size_t dim = 0; dim < static_cast<std::size_t>(dims); ++dim)
    for (const auto* side : {&sides.low[dim], &sides.high[dim]})
      for (const stencil::Outside& outside : *side)
        if (outside.kind == stencil::Outside::Kind::rule)
          throw UsageError("a side of an operator is made by the rule: Outside::rule()",
                           "nobody knows whether what is outside depends linearly on what is inside",
                           "give a value, Outside::mirror() or Outside::outflow()");
}

}  // namespace

int usable_depth(const OperatorConfig& config) {
  return std::max(config.depth, 1);
}

void agree_on_operator(const Communicator& communicator, const GridComputation& setup,
                       const stencil::SideRules& sides, const grid::FieldLayout& layout,
                       const OperatorConfig& config) {
  agree_on(communicator, "LinearOperator", set_up_timeout(config.halo.timeout), [&] {
    require_kokkos("LinearOperator");
    if (config.depth < 1)
      throw UsageError("the depth of a LinearOperator is " + std::to_string(config.depth),
                       "its fields would have no ghost cells to apply it with", "use 1 or more");
    setup.check();
    require_linear(sides, setup.grid.dims);
    if (setup.constants)
      setup.constants->memory.require(setup.constants->layout(setup.grid, layout), "constants");
    std::vector<Terms::Item> items;
    for (const auto& [name, value] : setup.terms) items.push_back({name, value});
    items.push_back({"cells", extent_text(setup.grid.cells)});
    items.push_back(rank_grid_term(setup.grid.topology));
    items.push_back({"depth", std::to_string(config.depth)});
    return Terms{items, {}};
  });
}

}  // namespace haloheap::comm::detail
