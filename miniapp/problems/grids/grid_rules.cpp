// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/grids/grid_rules.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace haloheap {
namespace {

using deck::Deck;

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
    case comm::HaloSetting::corners:
      return "halo.corners";
    case comm::HaloSetting::depth:
      return "halo.depth";
    case comm::HaloSetting::fused_steps:
      return "stencil.fused_steps";
    case comm::HaloSetting::graph:
      return "halo.graph";
    case comm::HaloSetting::mpi:
      return "halo.mpi";
    case comm::HaloSetting::packing:
      return "halo.packing";
    case comm::HaloSetting::redundant:
      return "stencil.redundant";
    case comm::HaloSetting::residual_interval:
      return "run.residual_interval";
  }
  throw InternalError("a setting of DeepHalo has no key");
}

/// As a remedy says values of a key: "a" or "b".
std::string quoted(const std::vector<std::string>& names) {
  return fmt::format("\"{}\"", fmt::join(names, "\" or \""));
}

/// Of auto only some neighbours are served by MPI.
void check_auto(const Deck& deck, const GridSettings& settings) {
  if (settings.config.halo.transport != comm::automatic_transport) return;
  const comm::MessageMode& mode = comm::message_modes().at(settings.config.halo.mpi);
  if (mode.along_lines)
    deck.reject(
        "halo.mpi",
        fmt::format("{} is a collective of all ranks of a line, and auto leaves some of them to another "
                    "transport",
                    mode.name),
        "name the transport, or use halo.mpi = " +
            quoted(comm::message_modes().names(
                [](const comm::MessageMode& other) { return other.passes_any(); })));
  if (!mode.passes_messages())
    deck.reject("halo.mpi",
                fmt::format("{} does not leave a node, and auto uses MPI only to do so", mode.name),
                "use another halo.mpi, or halo.transport = " +
                    quoted(comm::transports().names(
                        [](const comm::TransportInfo& other) { return other.shared != nullptr; })));
}

}  // namespace

void check_halo_rules(const Deck& deck, const GridSettings& settings) {
  reject(deck, settings.model->problem(settings.grid(0), settings.config));
  check_graph(deck, "halo.graph", settings.sub_steps(), fmt::format("grid.steps is {}", settings.steps));
  check_auto(deck, settings);
}

void check_graph(const Deck& deck, const char* key, grid::Index steps, const std::string& they) {
  const grid::Index held = 2 * grid::Index{deck.number("halo.depth")};
  if (deck.get<bool>("halo.graph") && steps < held)
    deck.reject(key, fmt::format("a graph holds two exchanges with their {} steps, and {}", held, they),
                fmt::format("use at least {} steps, a smaller halo.depth, or halo.graph = false", held));
}

bool can_measure(Measure measure, comm::Overlap overlap) {
  return measure == Measure::steps || (measure == Measure::overlap) == (overlap != comm::Overlap::none);
}

void check_measure_rules(const Deck& deck, const GridSettings& settings) {
  if (!can_measure(settings.measure, settings.config.overlap)) {
    if (settings.measure == Measure::overlap)
      deck.reject("run.measure", "halo.overlap is none, so that there is no overlap to measure",
                  "use halo.overlap = \"first_step\" or \"all_steps\"");
    deck.reject("run.measure", "nothing runs behind exchanges that are measured alone",
                "use halo.overlap = \"none\", or run.measure = \"overlap\"");
  }
  if (settings.measure == Measure::exchange && deck.get<bool>("run.residual"))
    deck.reject("run.measure", "exchanges that are measured alone have no residual",
                "use run.residual = false");
}

void check_frame_rules(const Deck& deck, const GridSettings& settings) {
  if (settings.frames == 0) return;
  if (settings.measure == Measure::exchange)
    deck.reject("output.frames", "exchanges that are measured alone (run.measure) make no step to be seen",
                "use run.measure = \"steps\", or output.frames = 0");
  if (settings.steps == 0)
    deck.reject("output.frames", "grid.steps is 0, so that there is nothing but the start",
                "use more steps; or output.fields = true, which writes the start, and output.frames = 0");
  if (settings.frames > settings.steps)
    deck.reject("output.frames",
                fmt::format("{} frames of {} step{}: there is one after each step at most", settings.frames,
                            settings.steps, settings.steps == 1 ? "" : "s"),
                fmt::format("use output.frames = {} or less, or more steps", settings.steps));
}

stencil::ResidualScale checked_residual(const Deck& deck, const GridModel& model) {
  try {
    if (const auto bound = model.residual_bound())
      return stencil::ResidualScale::make(*bound, product(model.size().cells) * model.fields());
  } catch (const UsageError& error) {
    deck.reject(
        "run.residual", error.cause(),
        "change what the sum depends on (stencil, boundary.value, grid.size), or use run.residual = false");
  }
  deck.reject("run.residual", "no bound is known for the changes of a step of this problem",
              "use run.residual = false");
}

void reject(const Deck& deck, const std::optional<comm::HaloProblem>& problem) {
  if (problem) deck.reject(key_of(problem->setting), *problem);
}

}  // namespace haloheap
