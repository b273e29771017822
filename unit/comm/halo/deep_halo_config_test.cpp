// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What DeepHalo cannot run is known before there are ranks, fields or a device.
#include <haloheap/comm/halo/deep_halo_config.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/transport_list.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace haloheap::comm {
namespace {

/// A periodic grid of 16 x 12 cells on 2 x 1 ranks, with a star of radius 1.
GridProblem grid() {
  return {stencil::heat_stencil(2, stencil::StencilShape::star, 1, 0.1),
          {},
          {16, 12, 1},
          Topology::make(0, {2, 1, 1}, {true, true, true})};
}

DeepHaloConfig graph_of(const std::string& transport) {
  DeepHaloConfig config{.halo = {}, .graph = true};
  config.halo.transport = transport;
  return config;
}

DeepHaloConfig messages_by(const std::string& mpi, const std::string& transport = "pinned") {
  DeepHaloConfig config{.halo = {}};
  config.halo.mpi = mpi;
  config.halo.transport = transport;
  return config;
}

void expect_problem(const GridProblem& problem, const DeepHaloConfig& config, HaloSetting setting,
                    const std::string& cause, const std::string& remedy) {
  const auto found = problem_of(problem, config);
  ASSERT_TRUE(found) << cause;
  EXPECT_EQ(found->setting, setting) << cause;
  EXPECT_EQ(found->cause, cause);
  EXPECT_EQ(found->remedy, remedy);
}

TEST(DeepHaloConfig, AnOrdinaryOneHasNoProblem) {
  EXPECT_FALSE(problem_of(grid(), {.halo = {}}));
  EXPECT_FALSE(problem_of(grid(), {.depth = 8, .fused_steps = 8, .halo = {}}));
}

TEST(DeepHaloConfig, BothSidesArePeriodicOrNone) {
  GridProblem problem = grid();
  problem.boundary.low[1] = grid::BoundaryKind::dirichlet;
  expect_problem(problem, {.halo = {}}, HaloSetting::boundary_y,
                 "one side of y is periodic and the other is not", "make both sides periodic, or neither");
  problem.boundary.high[1] = grid::BoundaryKind::neumann;
  EXPECT_FALSE(problem_of(problem, {.halo = {}}));
}

TEST(DeepHaloConfig, MirrorsLieInsideTheGrid) {
  GridProblem problem = grid();
  problem.stencil = stencil::heat_stencil(2, stencil::StencilShape::star, 2, 0.1);
  problem.boundary.low[1] = problem.boundary.high[1] = grid::BoundaryKind::neumann;
  problem.topology = Topology::make(0, {2, 1, 1}, {true, false, true});
  problem.cells.y = 2;
  EXPECT_FALSE(problem_of(problem, {.halo = {}}));
  problem.cells.y = 1;
  expect_problem(problem, {.halo = {}}, HaloSetting::cells,
                 "1 cells in y are fewer than a stencil of radius 2 mirrors at a Neumann side",
                 "use a larger grid or a smaller stencil");
}

TEST(DeepHaloConfig, HalosAreNoWiderThanSubdomains) {
  EXPECT_FALSE(problem_of(grid(), {.depth = 8, .halo = {}}));
  expect_problem(grid(), {.depth = 9, .halo = {}}, HaloSetting::depth,
                 "a halo of 9 cells is wider than the smallest subdomain, 8 cells in x",
                 "use a smaller depth, fewer ranks in that dimension, or a larger grid");
}

TEST(DeepHaloConfig, PassesFitKernelsHaloAndResidual) {
  expect_problem(grid(), {.depth = 3, .fused_steps = 4, .halo = {}}, HaloSetting::fused_steps,
                 "4 fused steps need a halo for as many, but the depth is 3",
                 "use a depth of 4 or more, or fewer fused steps");
  EXPECT_EQ(problem_of(grid(), {.fused_steps = 0, .halo = {}})->setting, HaloSetting::fused_steps);
  const auto found = detail::problem_of(grid().grid(), {}, {.depth = 2, .fused_steps = 2, .halo = {}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->cause, "2 steps cannot be fused: this stencil or kernel makes one a pass");
  EXPECT_EQ(found->remedy, "use fused_steps = 1");
}

TEST(DeepHaloConfig, AHaloHasCells) {
  expect_problem(grid(), {.depth = 0, .halo = {}}, HaloSetting::depth, "a halo of depth 0 has no cells",
                 "use a depth of 1 or more");
}

TEST(DeepHaloConfig, PlacesHave32Bits) {
  GridProblem large = grid();
  large.cells.y = grid::Index{1} << 31;
  expect_problem(large, {.halo = {}}, HaloSetting::cells, "2147483648 cells in y are more than 2147483647",
                 "use fewer cells in that dimension");
}

TEST(DeepHaloConfig, ResidualsAreThoseOfThePassesOfOneStep) {
  DeepHaloConfig summed{.depth = 4, .fused_steps = 2, .halo = {}};
  summed.residual = stencil::ResidualScale::make(1, 192);
  const auto refused = [&](const char* interval, const char* remedy) {
    expect_problem(grid(), summed, HaloSetting::residual_interval,
                   fmt::format("a residual each {} steps is not always that of the last step before an "
                               "exchange, each 4 steps, which alone has one where steps are fused",
                               interval),
                   fmt::format("use an interval of {} steps or another multiple of the depth, or "
                               "fused_steps = 1",
                               remedy));
  };
  refused("1", "4");
  summed.residual_interval = 6;
  refused("6", "8");
  summed.residual_interval = 8;
  EXPECT_FALSE(problem_of(grid(), summed));
  summed.fused_steps = 1;
  for (const int any : {1, 2, 6, 7}) {
    summed.residual_interval = any;
    EXPECT_FALSE(problem_of(grid(), summed)) << any;
  }
  summed.residual_interval = 0;
  expect_problem(grid(), summed, HaloSetting::residual_interval, "a residual each 0 steps is none",
                 "use an interval of 1 step or more");
}

TEST(DeepHaloConfig, MessagesSuitTransportAndExchange) {
  for (const TransportInfo& transport : transports()) {
    const bool impossible = transport.carrier == Carrier::mpi && transport.shared == nullptr;
    const auto found = problem_of(grid(), messages_by(shared_memory, transport.name));
    EXPECT_EQ(found.has_value(), impossible) << transport.name;
    if (found) {
      EXPECT_EQ(found->setting, HaloSetting::mpi) << transport.name;
    }
  }
  for (const MessageMode& mode : message_modes()) {
    DeepHaloConfig corners = messages_by(mode.name);
    EXPECT_FALSE(problem_of(grid(), corners)) << mode.name;
    corners.exchange = Exchange::async;
    EXPECT_EQ(problem_of(grid(), corners).has_value(), mode.along_lines) << mode.name;
    DeepHaloConfig each_way = messages_by(mode.name);
    each_way.messages = MessagesPer::direction;
    EXPECT_EQ(problem_of(grid(), each_way).has_value(), mode.along_lines) << mode.name;
    corners.messages = MessagesPer::direction;
    corners.halo.transport = "peer_store";
    EXPECT_FALSE(problem_of(grid(), corners)) << "passes no messages";
  }
}

TEST(DeepHaloConfig, TheHostPacksWhereItHasBuffers) {
  for (const TransportInfo& transport : transports()) {
    const bool able = transport.carrier == Carrier::mpi && !transport.places.host.empty();
    DeepHaloConfig typed = messages_by("persistent", transport.name), corners = typed;
    typed.halo.packing = Packing::datatype;
    corners.halo.corners = Corners::host;
    EXPECT_EQ(problem_of(grid(), typed).has_value(), !able) << transport.name;
    EXPECT_EQ(problem_of(grid(), corners).has_value(), !able) << transport.name;
  }
  DeepHaloConfig typed = messages_by(shared_memory, "pinned");
  typed.halo.packing = Packing::datatype;
  expect_problem(
      grid(), typed, HaloSetting::packing,
      "packing = datatype needs messages that MPI takes from buffers of the host, and transport 'pinned' "
      "with mpi = shared has none",
      "use transport = pinned or pageable or mapped with an mpi that passes messages, or packing = kernel");
  DeepHaloConfig corners = messages_by("persistent", automatic_transport);
  corners.halo.corners = Corners::host;
  expect_problem(
      grid(), corners, HaloSetting::corners,
      "corners = host needs messages that MPI takes from buffers of the host, and transport 'auto' has none",
      "use transport = pinned or pageable or mapped with an mpi that passes messages, or corners = device");
  corners.halo.transport = "pageable";
  EXPECT_FALSE(problem_of(grid(), corners));
  corners.exchange = Exchange::async;
  EXPECT_FALSE(problem_of(grid(), corners)) << "forwards no corners, wherever they would be copied";
  for (const MessageMode& mode : message_modes()) {
    DeepHaloConfig by = messages_by(mode.name, "pageable");
    by.halo.packing = Packing::datatype;
    EXPECT_EQ(problem_of(grid(), by).has_value(), !mode.takes_datatypes || !mode.passes_messages())
        << mode.name;
  }
}

TEST(DeepHaloConfig, PassesOfSeveralStepsShrink) {
  expect_problem(
      grid(), {.depth = 4, .fused_steps = 2, .redundant = Redundant::whole, .halo = {}},
      HaloSetting::redundant,
      "redundant = whole computes the whole halo's cells in each step, and a pass of 2 steps computes fewer "
      "from one to the next",
      "use fused_steps = 1, or redundant = shrinking");
  EXPECT_FALSE(problem_of(grid(), {.depth = 4, .redundant = Redundant::whole, .halo = {}}));
}

TEST(DeepHaloConfig, GraphsHoldNothingThatNeedsTheHost) {
  expect_problem(grid(), graph_of("pinned"), HaloSetting::graph,
                 "a graph cannot hold transport 'pinned', which needs the host",
                 "use transport = peer_copy or peer_store, or no graph");
  EXPECT_FALSE(problem_of(grid(), graph_of("peer_store")));
  EXPECT_FALSE(problem_of(grid(), graph_of(automatic_transport))) << "depends on where neighbours are";
  DeepHaloConfig shared = graph_of("pinned");
  shared.halo.mpi = shared_memory;
  EXPECT_FALSE(problem_of(grid(), shared));
  DeepHaloConfig barrier = graph_of("peer_store");
  barrier.halo.desynchronisation = true;
  expect_problem(grid(), barrier, HaloSetting::graph,
                 "a graph cannot hold the barrier of desynchronisation, which needs the host",
                 "switch one of the two off");
  GridProblem alone = grid();
  alone.topology = Topology::make(0, {1, 1, 1}, {true, true, true});
  EXPECT_FALSE(problem_of(alone, graph_of("pinned"))) << "nobody to send to";
}

}  // namespace
}  // namespace haloheap::comm
