// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/heat_rules.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

using deck::Deck;

// All initial fields lie within -1 and 1.
constexpr double largest_initial = 1;

void check_graph(const Deck& deck, const HeatSettings& heat) {
  if (!heat.config.graph) return;
  const std::string& transport = heat.config.halo.transport;
  // With auto it depends on where the neighbours are.
  if (transport != "auto" && transport_info(transport, heat.config.halo.mpi).reach != Reach::node)
    deck.reject("halo.graph",
                fmt::format("a graph cannot hold transport '{}', which needs the host", transport),
                "use halo.transport = \"peer_store\" or \"peer_copy\", or halo.graph = false");
  if (heat.config.halo.desynchronisation)
    deck.reject("halo.graph",
                "a graph cannot hold the barrier of run.desynchronisation, which needs the host",
                "switch one of the two off");
  const Index held = 2 * Index{heat.config.depth};
  if (heat.steps < held)
    deck.reject("halo.graph",
                fmt::format("a graph holds two exchanges with their {} steps, and grid.steps is {}", held,
                            heat.steps),
                fmt::format("use at least {} steps, a smaller halo.depth, or halo.graph = false", held));
}

void check_faces_only(const Deck& deck, const HeatSettings& heat) {
  const MessageMode& mode = message_modes().at(heat.config.halo.mpi);
  if (!mode.faces_only || !heat.uses_mpi()) return;
  if (heat.config.exchange == Exchange::async)
    deck.reject(
        "halo.mpi",
        mode.name +
            " reaches the neighbours across faces only, and halo.exchange = async also sends across edges "
            "and corners",
        "use halo.exchange = \"sync\", or halo.mpi = \"persistent\" or \"isend\"");
  if (heat.config.halo.transport == "auto")
    deck.reject("halo.mpi",
                mode.name +
                    " is a collective of all ranks of a line, and auto leaves some of them to another "
                    "transport",
                "name the transport, or use halo.mpi = \"persistent\" or \"isend\"");
}

void check_shared(const Deck& deck, const HeatSettings& heat) {
  const std::string& transport = heat.config.halo.transport;
  if (heat.config.halo.mpi != shared_memory) return;
  if (transport == "auto")
    deck.reject("halo.mpi", "shared does not leave a node, and auto uses MPI only to do so",
                "use another halo.mpi, or halo.transport = \"pinned\"");
  const TransportInfo& info = transport_info(transport);
  if (info.carrier == Carrier::mpi && info.shared == nullptr)
    deck.reject("halo.mpi",
                fmt::format("transport '{}' has no host buffers that neighbours could copy into", transport),
                "use halo.transport = \"pinned\", or another halo.mpi");
}

}  // namespace

void check_fused_steps(const Deck& deck, const HeatSettings& heat) {
  const int steps = heat.config.fused_steps, most = most_fused_steps(heat.stencil);
  if (steps > most)
    deck.reject("stencil.fused_steps",
                fmt::format("one pass of this stencil makes at most {} step{} on this backend", most,
                            most == 1 ? "" : "s"),
                fmt::format("use at most {}, or \"auto\"", most));
  if (steps > heat.config.depth)
    deck.reject("stencil.fused_steps",
                fmt::format("a pass of {} steps needs a halo for as many, and halo.depth is {}", steps,
                            heat.config.depth),
                fmt::format("use halo.depth = {} or more, or fewer fused steps", steps));
  if (steps > 1 && deck.get<bool>("run.residual"))
    deck.reject("stencil.fused_steps", "a pass of several steps has no residual of each of them",
                "use stencil.fused_steps = 1, or run.residual = false");
}

void check_halo_rules(const Deck& deck, const HeatSettings& heat) {
  check_shared(deck, heat);
  check_graph(deck, heat);
  check_faces_only(deck, heat);
}

void check_measure_rules(const Deck& deck, const HeatSettings& heat) {
  const bool overlaps = heat.config.overlap != Overlap::none;
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

ResidualScale checked_residual(const Deck& deck, const HeatSettings& heat) {
  try {
    const double bound = residual_bound(heat.stencil, heat.boundary, largest_initial);
    return ResidualScale::make(bound, product(heat.cells) * heat.quantities);
  } catch (const UsageError& error) {
    deck.reject(
        "run.residual", error.cause(),
        "change what the sum depends on (stencil, boundary.value, grid.size), or use run.residual = false");
  }
}

}  // namespace haloheap
