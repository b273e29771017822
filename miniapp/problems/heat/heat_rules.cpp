// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/heat/heat_rules.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

using deck::Deck;

// All initial fields lie within -1 and 1.
constexpr double largest_initial = 1;

const char* key_of(comm::HaloSetting setting) {
  switch (setting) {
    case comm::HaloSetting::boundary_x:
      return "boundary.x_high";
    case comm::HaloSetting::boundary_y:
      return "boundary.y_high";
    case comm::HaloSetting::boundary_z:
      return "boundary.z_high";
    case comm::HaloSetting::cells:
      return "grid.size";
    case comm::HaloSetting::depth:
      return "halo.depth";
    case comm::HaloSetting::fused_steps:
      return "stencil.fused_steps";
    case comm::HaloSetting::graph:
      return "halo.graph";
    case comm::HaloSetting::mpi:
      return "halo.mpi";
  }
  throw InternalError("a setting of DeepHalo has no key");
}

/// A shorter run makes its steps without the graph, which is then not what was to be measured.
void check_graph(const Deck& deck, const HeatSettings& heat) {
  const grid::Index held = 2 * grid::Index{heat.config.depth};
  if (heat.config.graph && heat.steps < held)
    deck.reject("halo.graph",
                fmt::format("a graph holds two exchanges with their {} steps, and grid.steps is {}", held,
                            heat.steps),
                fmt::format("use at least {} steps, a smaller halo.depth, or halo.graph = false", held));
}

/// Of auto only some neighbours are served by MPI.
void check_auto(const Deck& deck, const HeatSettings& heat) {
  if (heat.config.halo.transport != comm::automatic_transport) return;
  const comm::MessageMode& mode = comm::message_modes().at(heat.config.halo.mpi);
  if (mode.along_lines)
    deck.reject(
        "halo.mpi",
        fmt::format("{} is a collective of all ranks of a line, and auto leaves some of them to another "
                    "transport",
                    mode.name),
        "name the transport, or use halo.mpi = \"persistent\" or \"isend\"");
  if (!mode.passes_messages())
    deck.reject("halo.mpi",
                fmt::format("{} does not leave a node, and auto uses MPI only to do so", mode.name),
                "use another halo.mpi, or halo.transport = \"pinned\"");
}

}  // namespace

void check_halo_rules(const Deck& deck, const HeatSettings& heat) {
  if (const auto problem = comm::problem_of(heat.problem(0), heat.config))
    deck.reject(key_of(problem->setting), problem->cause, problem->remedy);
  check_graph(deck, heat);
  check_auto(deck, heat);
}

void check_measure_rules(const Deck& deck, const HeatSettings& heat) {
  const bool overlaps = heat.config.overlap != comm::Overlap::none;
  if (heat.measure == Measure::overlap && !overlaps)
    deck.reject("run.measure", "halo.overlap is none, so that there is no overlap to measure",
                "use halo.overlap = \"first_step\" or \"all_steps\"");
  if (heat.measure == Measure::exchange && overlaps)
    deck.reject("run.measure", "nothing runs behind exchanges that are measured alone",
                "use halo.overlap = \"none\", or run.measure = \"overlap\"");
  if (heat.measure == Measure::exchange && deck.get<bool>("run.residual"))
    deck.reject("run.measure", "exchanges that are measured alone have no residual",
                "use run.residual = false");
}

stencil::ResidualScale checked_residual(const Deck& deck, const HeatSettings& heat) {
  try {
    const double bound = stencil::residual_bound(heat.stencil, heat.boundary, largest_initial);
    return stencil::ResidualScale::make(bound, product(heat.cells) * heat.quantities);
  } catch (const UsageError& error) {
    deck.reject(
        "run.residual", error.cause(),
        "change what the sum depends on (stencil, boundary.value, grid.size), or use run.residual = false");
  }
}

}  // namespace haloheap
