// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/stencil_passes.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace haloheap::comm {
namespace {

using detail::GridComputation;

/// A stencil's problem, as a computation.
template <class T>
GridComputation of(const GridProblem& problem) {
  const auto sides = [](const grid::BoundaryKind(&kinds)[3]) {
    return fmt::format("{} {} {}", static_cast<int>(kinds[0]), static_cast<int>(kinds[1]),
                       static_cast<int>(kinds[2]));
  };
  const auto& [stencil, boundary, cells, topology, quantities] = problem;
  return {
      problem.grid(),
      stencil::computation_of<T>(stencil, boundary, quantities),
      value_type_of<T>(),
      {},
      detail::facts_of(problem),
      "",
      {{"stencil", fmt::format("{}D, shape {}, radius {}, {}", stencil.dims, static_cast<int>(stencil.shape),
                               stencil.radius, fmt::join(stencil.coefficients, " "))},
       {"boundary", fmt::format("{} to {}, {}", sides(boundary.low), sides(boundary.high), boundary.value)}},
      [problem] { require_none(side_problem(problem.boundary, problem.stencil.dims)); },
      std::nullopt};
}

}  // namespace

namespace detail {

void require_fitting_grid(const Grid& grid, const stencil::SideRules& sides, int dims) {
  require_grid(grid);
  if (grid.dims != dims)
    throw UsageError(fmt::format("a grid of {} dimensions for an update rule of {}", grid.dims, dims), "",
                     "give the grid as many dimensions as the rule");
  for (int dim = 0; dim < dims; ++dim) {
    const bool wraps = grid.topology.periodic[dim];
    if (sides.periodic(dim) == wraps) continue;
    const std::string pair = fmt::format("low[{0}] and high[{0}] of the sides", dim);
    const char x = "xyz"[dim];
    throw UsageError(
        fmt::format("the rank grid {} in {}, and the sides given for it say that it {}",
                    wraps ? "wraps around" : "ends", x, wraps ? "ends" : "wraps around"),
        "cells outside the grid would have no value, or two",
        wraps ? fmt::format("leave {} empty, or let the grid end in {}: the last argument of Grid::make, or "
                            "Topology::periodic",
                            pair, x)
              : fmt::format("give {} entries, or make the grid periodic in {}: the last argument of "
                            "Grid::make, or Topology::periodic",
                            pair, x));
  }
}

GridComputation computation_of(const GridProblem& problem, float /*type*/) {
  return of<float>(problem);
}
GridComputation computation_of(const GridProblem& problem, double /*type*/) {
  return of<double>(problem);
}

}  // namespace detail

}  // namespace haloheap::comm
