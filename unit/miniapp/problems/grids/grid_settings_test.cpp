// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_files.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

deck::Deck deck_of(const std::string& text) {
  return deck::load_text(app_schema(), text, "a.toml").point(0);
}

GridSettings settings_of(const std::string& text) {
  return read_grid(deck_of(text), 4);
}

TEST(GridSettings, UpdatesAreThoseOfAllRuns) {
  const auto heat = problems().at("heat2d").make();
  EXPECT_EQ(heat->updates(deck_of("grid = {size = [30, 20], steps = 7, quantities = 2}\n"
                                  "run = {repetitions = 3, warmup = 2}")),
            30.0 * 20 * 7 * 2 * (3 + 2));
  EXPECT_EQ(heat->updates(deck_of("grid = {size = [30, 20], steps = 7}\nrun = {repetitions = 3, warmup = 0}\n"
                                  "output.frames = 2")),
            30.0 * 20 * 7 * (3 + 1))
      << "frames are written in a run of their own";
  EXPECT_EQ(heat->updates(deck_of("run.measure = 'exchange'")), 0) << "exchanges have no such rate";
}

TEST(GridSettings, FramesAreEvenlySpacedFromTheStartToTheEnd) {
  EXPECT_EQ(settings_of("output.frames = 5").frames, 5);
  std::vector<grid::Index> steps;
  for (grid::Index frame = 0; frame <= 4; ++frame) steps.push_back(steps_until(frame, 4, 11));
  EXPECT_EQ(steps, (std::vector<grid::Index>{0, 2, 5, 8, 11}));
  constexpr grid::Index most = 2147483647;
  EXPECT_EQ(steps_until(most, most, most), most);
}

TEST(GridSettings, EveryKeyOfTheHaloReachesTheExchange) {
  const comm::DeepHaloConfig config =
      settings_of(
          "halo = {depth = 3, exchange = 'async', transport = 'peer_store', overlap = 'all_steps', "
          "graph = true, mpi = 'isend', gpu_aware = 'force', ranks_per_node = 5, timeout = 7.5}\n"
          "run = {phases = false, residual = true}")
          .config;
  EXPECT_EQ(config.depth, 3);
  EXPECT_EQ(config.exchange, comm::Exchange::async);
  EXPECT_EQ(config.overlap, comm::Overlap::all_steps);
  EXPECT_TRUE(config.graph);
  EXPECT_FALSE(config.phases);
  EXPECT_TRUE(config.residual);
  EXPECT_EQ(config.halo.transport, "peer_store");
  EXPECT_EQ(config.halo.mpi, "isend");
  EXPECT_TRUE(config.halo.force_gpu_aware);
  EXPECT_EQ(config.halo.ranks_per_node, 5);
  EXPECT_EQ(config.halo.timeout, 7.5);
  EXPECT_TRUE(settings_of("run.desynchronisation = true").config.halo.desynchronisation);
}

TEST(GridSettings, ResultsAndMpiDependOnTransportAndMeasure) {
  EXPECT_TRUE(settings_of("halo.transport = 'pinned'").uses_mpi());
  EXPECT_TRUE(settings_of("halo.transport = 'auto'").uses_mpi());
  EXPECT_FALSE(settings_of("halo.transport = 'peer_copy'").uses_mpi());
  EXPECT_FALSE(settings_of("halo.transport = 'mock'").uses_mpi());
  EXPECT_TRUE(settings_of("halo.transport = 'pinned'\nhalo.mpi = 'shared'").uses_mpi());
  EXPECT_TRUE(settings_of("halo.transport = 'auto'").has_result());
  EXPECT_TRUE(settings_of("run.measure = 'overlap'\nhalo.overlap = 'first_step'").has_result());
  EXPECT_FALSE(settings_of("halo.transport = 'mock'").has_result());
  EXPECT_FALSE(settings_of("run.measure = 'exchange'").has_result());
}

TEST(GridSettings, BuffersAreWhereTheTransportHasThem) {
  const auto costs = [](const std::string& transport) {
    return grid_costs(settings_of("halo.transport = '" + transport + "'"), 4);
  };
  const std::size_t both = 2 * costs("pinned").message_bytes;
  EXPECT_GT(both, 0u);
  for (const char* name : {"pinned", "pageable", "auto"}) {
    EXPECT_EQ(costs(name).device_buffer_bytes, both) << name;
    EXPECT_EQ(costs(name).host_buffer_bytes, both) << name;
  }
  EXPECT_EQ(costs("pinned").host_buffers, "pinned");
  EXPECT_EQ(costs("pageable").host_buffers, "pageable");
  EXPECT_EQ(costs("auto").host_buffers, "pinned");
  EXPECT_EQ(costs("mapped").host_buffers, "pinned");
  EXPECT_EQ(costs("gpu_aware").host_buffers, "");
  EXPECT_EQ(costs("mapped").device_buffer_bytes, 0u);
  EXPECT_EQ(costs("mapped").host_buffer_bytes, both);
  EXPECT_EQ(costs("gpu_aware").device_buffer_bytes, both);
  EXPECT_EQ(costs("gpu_aware").host_buffer_bytes, 0u);
  const GridCosts shared = grid_costs(settings_of("halo.transport = 'pinned'\nhalo.mpi = 'shared'"), 4);
  EXPECT_EQ(shared.device_buffer_bytes, both);
  EXPECT_EQ(shared.host_buffer_bytes, both / 2) << "nothing is sent from there";
  EXPECT_EQ(shared.host_buffers, "pinned");
  EXPECT_EQ(costs("peer_store").device_buffer_bytes, both) << "for narrow boxes";
  EXPECT_EQ(costs("peer_store").host_buffer_bytes, 0u);
}

}  // namespace
}  // namespace haloheap
