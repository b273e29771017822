// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/deep_halo_config.hpp>
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/route.hpp>
#include <haloheap/core/grid/decomposition.hpp>
#include <haloheap/core/stencil/fused_sweep.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace haloheap::comm {
namespace {

using Found = std::optional<HaloProblem>;

Found half_periodic(const GridProblem& problem, const DeepHaloConfig& /*config*/) {
  constexpr HaloSetting sides[3] = {HaloSetting::boundary_x, HaloSetting::boundary_y,
                                    HaloSetting::boundary_z};
  const grid::Boundary& boundary = problem.boundary;
  for (int dim = 0; dim < problem.stencil.dims; ++dim)
    if ((boundary.low[dim] == grid::BoundaryKind::periodic) !=
        (boundary.high[dim] == grid::BoundaryKind::periodic))
      return HaloProblem{sides[dim],
                         fmt::format("one side of {} is periodic and the other is not", "xyz"[dim]),
                         "the cells beyond it are no one's", "make both sides periodic, or neither"};
  return std::nullopt;
}

Found mirrors_too_much(const GridProblem& problem, const DeepHaloConfig& /*config*/) {
  const grid::Boundary& boundary = problem.boundary;
  for (int dim = 0; dim < problem.stencil.dims; ++dim) {
    const bool mirrors =
        boundary.low[dim] == grid::BoundaryKind::neumann || boundary.high[dim] == grid::BoundaryKind::neumann;
    if (mirrors && problem.cells[dim] < problem.stencil.radius)
      return HaloProblem{
          HaloSetting::cells,
          fmt::format("{} cells in {} are fewer than a stencil of radius {} mirrors at a Neumann side",
                      problem.cells[dim], "xyz"[dim], problem.stencil.radius),
          "the mirror would lie outside the grid", "use a larger grid or a smaller stencil"};
  }
  return std::nullopt;
}

Found too_deep(const GridProblem& problem, const DeepHaloConfig& config) {
  const grid::Index halo = grid::Index{config.depth} * problem.stencil.radius;
  return halo_width_problem(problem.topology.ranks, problem.topology.periodic, problem.stencil.dims,
                            {halo, halo, halo}, problem.cells);
}

Found impossible_passes(const GridProblem& problem, const DeepHaloConfig& config) {
  using enum HaloSetting;
  const int steps = config.fused_steps, maximum = stencil::max_fused_steps(problem.stencil);
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
  if (steps > 1 && config.residual)
    return HaloProblem{fused_steps,
                       "the residual of every step is not to be had from passes of several steps", "",
                       "use fused_steps = 1, or no residual"};
  return std::nullopt;
}

/// Whether the message mode says how any messages of this transport are passed.
bool uses_message_mode(const HaloExchangeConfig& config) {
  if (config.transport == automatic_transport) return true;
  const TransportInfo* const transport = transports().find(config.transport);
  return transport != nullptr && transport->carrier == Carrier::mpi;
}

Found impossible_messages(const GridProblem& /*problem*/, const DeepHaloConfig& config) {
  if (!uses_message_mode(config.halo)) return std::nullopt;
  if (Found found = transport_problem(config.halo.transport, config.halo.mpi)) return found;
  return message_mode_problem(config.halo.mpi, config.exchange);
}

/// Of a named transport, where there is anyone to send to. What stands for "auto" is known when it is known
/// where the neighbours are.
Found needs_host(const GridProblem& problem, const DeepHaloConfig& config) {
  if (!config.graph) return std::nullopt;
  if (config.halo.desynchronisation)
    return HaloProblem{HaloSetting::graph,
                       "a graph cannot hold the barrier of desynchronisation, which needs the host", "",
                       "switch one of the two off"};
  if (product(problem.topology.ranks) == 1 || !transports().find(config.halo.transport) ||
      !transport_info(config.halo.transport, config.halo.mpi).needs_host)
    return std::nullopt;
  std::vector<std::string> able;
  for (const TransportInfo& other : transports())
    if (!other.needs_host) able.push_back(other.name);
  return HaloProblem{
      HaloSetting::graph,
      fmt::format("a graph cannot hold transport '{}', which needs the host", config.halo.transport), "",
      fmt::format("use transport = {}, or no graph", fmt::join(able, " or "))};
}

}  // namespace

std::optional<HaloProblem> problem_of(const GridProblem& problem, const DeepHaloConfig& config) {
  for (const auto rule :
       {half_periodic, mirrors_too_much, too_deep, impossible_passes, impossible_messages, needs_host})
    if (Found found = rule(problem, config)) return found;
  return std::nullopt;
}

grid::Box GridProblem::own() const {
  return subdomain(cells, topology.ranks, topology.coordinates);
}

grid::FieldLayout GridProblem::layout(int depth, std::size_t element_bytes) const {
  const grid::Box box = own();
  return grid::make_field_layout(stencil.dims, {box.extent(0), box.extent(1), box.extent(2)},
                                 grid::Index{depth} * stencil.radius, quantities, element_bytes);
}

}  // namespace haloheap::comm
