// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/heat/heat_settings.hpp>
#include <haloheap/miniapp/schema.hpp>
#include <haloheap/unit/miniapp/deck/helpers.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

using deck::test::caught;

deck::Schema heat_schema() {
  return schema_of(problems().at("heat2d"));
}

std::string cause(const std::string& text) {
  const auto error = caught([&] { deck::load_text(heat_schema(), text, "a.toml"); });
  return error.text.substr(0, error.text.find('\n'));
}

TEST(MiniappSchema, EveryKeyHasHelpOfOneLine) {
  const deck::Schema schema = heat_schema();
  for (const deck::Key* key : schema.keys()) {
    EXPECT_FALSE(key->help.empty()) << key->name;
    EXPECT_EQ(key->help.find('\n'), std::string::npos) << key->name;
  }
}

TEST(MiniappSchema, Defaults) {
  const deck::Deck deck(heat_schema());
  EXPECT_EQ(deck.get<std::string>("problem"), "heat2d");
  EXPECT_EQ(deck.get<std::vector<std::int64_t>>("grid.size"), (std::vector<std::int64_t>{1024, 1024}));
  EXPECT_EQ(deck.get<std::string>("halo.transport"), comm::transports().front().name);
  EXPECT_EQ(deck.get<std::string>("halo.mpi"), comm::message_modes().front().name);
  EXPECT_EQ(deck.get<std::string>("halo.gpu_aware"), "auto");
  EXPECT_EQ(deck.get<std::string>("halo.overlap"), "none");
  EXPECT_FALSE(deck.get<bool>("halo.graph"));
  EXPECT_EQ(deck.get<std::int64_t>("halo.ranks_per_node"), 0);
  EXPECT_FALSE(deck.get<bool>("run.residual"));
  EXPECT_EQ(deck.get<std::string>("run.measure"), "steps");
  EXPECT_EQ(deck.get<std::string>("memory.fields"), "device");
  EXPECT_EQ(deck.get<std::vector<std::int64_t>>("ranks.grid"), std::vector<std::int64_t>{});
}

TEST(MiniappSchema, ChoicesAreTheEntriesOfTheRegistries) {
  const deck::Schema schema = heat_schema();
  std::vector<std::string> paths = comm::transports().names();
  paths.emplace_back("auto");
  EXPECT_EQ(schema.find("problem")->choices, problems().names());
  EXPECT_EQ(schema.find("halo.transport")->choices, paths);
  EXPECT_EQ(schema.find("halo.mpi")->choices, comm::message_modes().names());
  EXPECT_EQ(schema.find("memory.buffers")->choices, memory::memory_resources().names());
  EXPECT_EQ(schema.find("memory.fields")->choices, memory::memory_resources().names());
}

TEST(MiniappSchema, HasMemoryBehindTheSectionsOfProblemsWhereOneUsesIt) {
  const deck::Schema with_memory = make_schema({add_memory_keys, add_heat_keys, add_heat_keys});
  const auto& sections = with_memory.sections();
  ASSERT_GE(sections.size(), 4u);
  EXPECT_EQ(sections[sections.size() - 3].name(), "memory");
  EXPECT_EQ(make_schema({add_heat_keys}).find_section("memory"), nullptr);
}

TEST(MiniappSchema, HasFramesWithTheOtherOutputWhereAProblemWritesThem) {
  const deck::Schema with_frames = make_schema({add_frame_keys, add_heat_keys});
  EXPECT_EQ(with_frames.sections().back().name(), "output");
  EXPECT_EQ(with_frames.keys().back()->name, "output.frames");
  EXPECT_EQ(make_schema({add_heat_keys}).find("output.frames"), nullptr);
  EXPECT_NE(schema_of(problems().at("gray_scott3d")).find("output.frames"), nullptr);
  EXPECT_EQ(schema_of(problems().at("nbody")).find("output.frames"), nullptr);
}

TEST(MiniappSchema, SaysWhatASeedIs) {
  const deck::Schema schema = heat_schema();
  EXPECT_TRUE(schema.find("initial.seed")->is_seed);
  EXPECT_FALSE(schema.find("grid.steps")->is_seed);
}

TEST(MiniappSchema, RefusesWhatCannotBe) {
  EXPECT_EQ(cause("grid.size = [0, 4]"),
            "a.toml:1:13: grid.size: 0 is out of range (allowed: 1 to 2147483647 cells)");
  EXPECT_EQ(cause("grid.size = [4, -4]"),
            "a.toml:1:13: grid.size: -4 is out of range (allowed: 1 to 2147483647 cells)");
  EXPECT_EQ(cause("halo.depth = 0"), "a.toml:1:14: halo.depth: 0 is out of range (allowed: 1 to 1024 steps)");
  EXPECT_EQ(cause("halo.ranks_per_node = -1"),
            "a.toml:1:23: halo.ranks_per_node: -1 is out of range (allowed: 0 to 2147483647 ranks)");
  EXPECT_EQ(cause("run.measure = 'halo'"),
            "a.toml:1:15: run.measure: \"halo\" is not a valid choice (allowed: \"steps\", \"exchange\", "
            "\"overlap\"; nearest: \"steps\")");
  EXPECT_EQ(cause("grid.quantities = 9"),
            "a.toml:1:19: grid.quantities: 9 is out of range (allowed: 1 to 8 fields)");
  EXPECT_EQ(cause("stencil.diffusion = 0.51"),
            "a.toml:1:21: stencil.diffusion: 0.51 is out of range (allowed: 0 to 0.5)");
  const std::string memory = cause("memory.fields = 'devise'");
  EXPECT_TRUE(memory.starts_with(
      "a.toml:1:17: memory.fields: \"devise\" is not a valid choice (allowed: \"device\", "))
      << memory;
  EXPECT_TRUE(memory.ends_with("; nearest: \"device\")")) << memory;
  EXPECT_EQ(cause("ranks.grid = [4]"),
            "a.toml:1:14: ranks.grid: a list of 1 entry is too short (allowed: 2 to 3 entries or none)");
}

TEST(MiniappSchema, TheThesisExperimentIsOneDeck) {
  const deck::Sweep sweep = deck::load_text(heat_schema(), R"(
    [halo]
    depth = [1, 2, 4, 8, 16, 32, 64]
    exchange = ["sync", "async"]
    overlap = ["none", "first_step"]
  )",
                                            "thesis.toml");
  EXPECT_EQ(sweep.size(), 28u);
}

}  // namespace
}  // namespace haloheap
