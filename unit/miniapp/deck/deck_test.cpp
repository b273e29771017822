// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/unit/miniapp/deck/helpers.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace haloheap::deck {
namespace {

using test::caught;
using test::small_schema;

TEST(Deck, WithOtherValues) {
  const Deck deck{test::small_schema()};
  const Deck other = deck.with({{"halo.depth", std::int64_t{7}}});
  EXPECT_EQ(other.get<std::int64_t>("halo.depth"), 7);
  EXPECT_EQ(deck.get<std::int64_t>("halo.depth"), 1);
  EXPECT_THROW(deck.with({{"halo.depth", std::int64_t{65}}}), InternalError);
  EXPECT_THROW(deck.with({{"halo.dpeth", std::int64_t{1}}}), InternalError);
}

TEST(Deck, HasTheDefaults) {
  const Deck deck(small_schema());
  EXPECT_EQ(deck.get<std::string>("problem"), "heat2d");
  EXPECT_EQ(deck.get<std::int64_t>("halo.depth"), 1);
  EXPECT_EQ(deck.get<double>("run.timeout"), 60.0);
  EXPECT_FALSE(deck.get<bool>("run.verify"));
  EXPECT_EQ(deck.get<std::vector<std::int64_t>>("grid.size"), (std::vector<std::int64_t>{8, 8}));
  EXPECT_EQ(deck.location("halo.depth"), "default");
  EXPECT_EQ(deck.as_map().size(), deck.schema().keys().size());
  EXPECT_EQ(deck.as_map().begin()->first, "grid.size");
}

TEST(Deck, MistakesOfTheCallerAreInternalErrors) {
  const Deck deck(small_schema());
  EXPECT_EQ(caught([&] { deck.get<int64_t>("halo.dept"); }).text, "the schema has no key halo.dept");
  EXPECT_EQ(caught([&] { deck.get<double>("halo.depth"); }).text,
            "halo.depth was read as another type, but is an integer");
  const auto schema = std::make_shared<const Schema>(small_schema());
  const auto with = [&](const std::string& key, const Value& value) {
    return caught([&] { Deck(schema, {{key, Setting{value, {}}}}); });
  };
  EXPECT_EQ(with("no.key", true).text, "the schema has no key no.key");
  EXPECT_EQ(with("halo.depth", std::int64_t{0}).text,
            "halo.depth was given a value that is not allowed: 0 is out of range (allowed: 1 to 64 steps)");
  EXPECT_EQ(with("halo.depth", 2.0).text, "halo.depth was given a real number, but is an integer");
  EXPECT_EQ(with("halo.depth", 2.0).exit_code, 1);
}

TEST(Deck, RejectSaysWhereAndWhat) {
  const Deck deck = load_text(small_schema(), "[halo]\ndepth = 9\n", "a.toml", {"grid.steps=3"}).point(0);
  const auto deep =
      caught([&] { deck.reject("halo.depth", "deeper than the subdomain of 4 cells", "use at most 4"); });
  EXPECT_EQ(deep.text,
            "a.toml:2:9: halo.depth: deeper than the subdomain of 4 cells\n"
            "  consequence: nothing was run\n"
            "  remedy: use at most 4");
  EXPECT_EQ(deep.exit_code, 2);
  EXPECT_EQ(caught([&] { deck.reject("grid.steps", "bad", ""); }).text,
            "command line: grid.steps: bad\n  consequence: nothing was run");
  EXPECT_EQ(caught([&] { deck.reject("run.verify", "bad", ""); }).text,
            "default: run.verify: bad\n  consequence: nothing was run");
}

constexpr const char* full_deck = R"(problem = "heat2d"

[grid]
size = [8, 8]
steps = 10

[halo]
depth = 1
transport = "pageable"

[run]
verify = false
timeout = 60.0
weights = []
tags = ["a"]
folder = "results"
)";

TEST(Deck, WritesToml) {
  EXPECT_EQ(Deck(small_schema()).to_toml(), full_deck);
}

TEST(Deck, TomlLoadsBackToTheSameValues) {
  const std::string text = R"(
    problem = "heat3d"
    grid.size = [3, 5, 7]
    [run]
    timeout = 0.70000000000000007
    weights = [1e-300, -0.0]
    tags = []
    folder = 'a "quoted" \ folder # not a comment'
  )";
  const Deck deck = load_text(small_schema(), text, "a.toml").point(0);
  for (const Comments comments : {Comments::none, Comments::help}) {
    const Deck again = load_text(small_schema(), deck.to_toml(comments), "b.toml").point(0);
    EXPECT_EQ(again.as_map(), deck.as_map());
    EXPECT_TRUE(std::signbit(again.get<std::vector<double>>("run.weights")[1]));
  }
}

TEST(Deck, CommentsCarryHelpAndLimits) {
  const std::string text = Deck(small_schema()).to_toml(Comments::help);
  EXPECT_NE(text.find("\n[halo]  # Halo exchange\ndepth = 1  # Depth [1 to 64 steps]\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("\nverify = false  # Compare\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace haloheap::deck
