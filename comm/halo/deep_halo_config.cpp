// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/deep_halo_config.hpp>
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/route.hpp>
#include <haloheap/core/stencil/stencil_passes.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace haloheap::comm {
namespace {

using Found = std::optional<HaloProblem>;

Found mirrors_too_much(const Grid& grid, const detail::StepFacts& facts, const DeepHaloConfig& /*config*/) {
  for (int dim = 0; dim < grid.dims; ++dim)
    if (facts.mirrors[dim] && grid.cells[dim] < facts.radius)
      return HaloProblem{
          HaloSetting::cells,
          fmt::format("{} cells in {} are fewer than a stencil of radius {} mirrors at a Neumann side",
                      grid.cells[dim], "xyz"[dim], facts.radius),
          "the mirror would lie outside the grid", "use a larger grid or a smaller stencil"};
  return std::nullopt;
}

Found too_large(const Grid& grid, const detail::StepFacts& /*facts*/, const DeepHaloConfig& /*config*/) {
  constexpr grid::Index maximum = std::numeric_limits<int>::max();
  for (int dim = 0; dim < grid.dims; ++dim)
    if (grid.cells[dim] > maximum)
      return HaloProblem{HaloSetting::cells,
                         fmt::format("{} cells in {} are more than {}", grid.cells[dim], "xyz"[dim], maximum),
                         "kernels count places with 32 bits", "use fewer cells in that dimension"};
  return std::nullopt;
}

Found too_shallow(const Grid& /*grid*/, const detail::StepFacts& /*facts*/, const DeepHaloConfig& config) {
  if (config.depth >= 1) return std::nullopt;
  return HaloProblem{HaloSetting::depth, fmt::format("a halo of depth {} has no cells", config.depth),
                     "no step could read its neighbours", "use a depth of 1 or more"};
}

Found too_deep(const Grid& grid, const detail::StepFacts& facts, const DeepHaloConfig& config) {
  const grid::Index halo = grid::Index{config.depth} * facts.radius;
  return halo_width_problem(grid.topology.ranks, grid.topology.periodic, grid.dims, {halo, halo, halo},
                            grid.cells);
}

Found impossible_passes(const Grid& /*grid*/, const detail::StepFacts& facts, const DeepHaloConfig& config) {
  using enum HaloSetting;
  const int steps = config.fused_steps, maximum = facts.max_fused_steps;
  if (maximum == 1 && steps > 1)
    return HaloProblem{
        fused_steps, fmt::format("{} steps cannot be fused: this stencil or kernel makes one a pass", steps),
        "", "use fused_steps = 1"};
  if (steps < 1 || steps > maximum)
    return HaloProblem{
        fused_steps,
        fmt::format("{} fused steps are not between 1 and the {} that this stencil has kernels for", steps,
                    maximum),
        "", "use fewer fused steps"};
  if (steps > config.depth)
    return HaloProblem{
        fused_steps,
        fmt::format("{} fused steps need a halo for as many, but the depth is {}", steps, config.depth), "",
        fmt::format("use a depth of {} or more, or fewer fused steps", steps)};
  return std::nullopt;
}

Found impossible_redundance(const Grid& /*grid*/, const detail::StepFacts& /*facts*/,
                            const DeepHaloConfig& config) {
  if (config.redundant == Redundant::shrinking || config.fused_steps == 1) return std::nullopt;
  return HaloProblem{
      HaloSetting::redundant,
      fmt::format("redundant = whole computes the whole halo's cells in each step, and a pass of {} "
                  "steps computes fewer from one to the next",
                  config.fused_steps),
      "", "use fused_steps = 1, or redundant = shrinking"};
}

Found impossible_residuals(const Grid& /*grid*/, const detail::StepFacts& /*facts*/,
                           const DeepHaloConfig& config) {
  const int interval = config.residual_interval, depth = config.depth;
  if (!config.residual) return std::nullopt;
  if (interval < 1)
    return HaloProblem{HaloSetting::residual_interval,
                       fmt::format("a residual each {} steps is none", interval), "",
                       "use an interval of 1 step or more"};
  if (config.fused_steps > 1 && interval % depth != 0)
    return HaloProblem{
        HaloSetting::residual_interval,
        fmt::format("a residual each {} steps is not always that of the last step before an exchange, each "
                    "{} steps, which alone has one where steps are fused",
                    interval, depth),
        "",
        fmt::format("use an interval of {} steps or another multiple of the depth, or fused_steps = 1",
                    (interval / depth + 1) * depth)};
  return std::nullopt;
}

Found impossible_messages(const Grid& /*grid*/, const detail::StepFacts& /*facts*/,
                          const DeepHaloConfig& config) {
  if (Found found =
          host_problem(config.halo.transport, config.halo.mpi, {config.halo.packing, config.halo.corners}))
    return found;
  if (!uses_message_mode(config.halo.transport)) return std::nullopt;
  if (Found found = transport_problem(config.halo.transport, config.halo.mpi)) return found;
  return message_mode_problem(config.halo.mpi, config.exchange, config.messages, config.halo.packing);
}

/// Of a named transport, where there is anyone to send to. What stands for "auto" is known when it is known
/// where the neighbours are.
Found needs_host(const Grid& grid, const detail::StepFacts& /*facts*/, const DeepHaloConfig& config) {
  if (!config.graph) return std::nullopt;
  if (config.halo.desynchronisation)
    return HaloProblem{HaloSetting::graph,
                       "a graph cannot hold the barrier of desynchronisation, which needs the host", "",
                       "switch one of the two off"};
  if (product(grid.topology.ranks) == 1 || !transports().find(config.halo.transport) ||
      !transport_info(config.halo.transport, config.halo.mpi).needs_host)
    return std::nullopt;
  const auto able = transports().names([](const TransportInfo& other) { return !other.needs_host; });
  return HaloProblem{
      HaloSetting::graph,
      fmt::format("a graph cannot hold transport '{}', which needs the host", config.halo.transport), "",
      fmt::format("use transport = {}, or no graph", fmt::join(able, " or "))};
}

}  // namespace

std::optional<HaloProblem> detail::problem_of(const Grid& grid, const StepFacts& facts,
                                              const DeepHaloConfig& config) {
  for (const auto rule : {too_large, mirrors_too_much, too_shallow, too_deep, impossible_passes,
                          impossible_redundance, impossible_residuals, impossible_messages, needs_host})
    if (Found found = rule(grid, facts, config)) return found;
  return std::nullopt;
}

std::optional<HaloProblem> side_problem(const grid::Boundary& boundary, int dims) {
  constexpr HaloSetting sides[3] = {HaloSetting::boundary_x, HaloSetting::boundary_y,
                                    HaloSetting::boundary_z};
  for (int dim = 0; dim < dims; ++dim)
    if ((boundary.low[dim] == grid::BoundaryKind::periodic) !=
        (boundary.high[dim] == grid::BoundaryKind::periodic))
      return HaloProblem{sides[dim],
                         fmt::format("one side of {} is periodic and the other is not", "xyz"[dim]),
                         "the cells beyond it are no one's", "make both sides periodic, or neither"};
  return std::nullopt;
}

detail::StepFacts detail::facts_of(const GridProblem& problem) {
  StepFacts facts{problem.stencil.radius, stencil::max_fused_steps(problem.stencil), {}};
  for (int dim = 0; dim < problem.stencil.dims; ++dim)
    for (const bool high : {false, true})
      facts.mirrors[dim] |= problem.boundary.side(dim, high) == grid::BoundaryKind::neumann;
  return facts;
}

std::optional<HaloProblem> problem_of(const GridProblem& problem, const DeepHaloConfig& config) {
  if (Found found = side_problem(problem.boundary, problem.stencil.dims)) return found;
  return detail::problem_of(problem.grid(), detail::facts_of(problem), config);
}

}  // namespace haloheap::comm
