// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/unit/miniapp/deck/helpers.hpp>

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string_view>

namespace haloheap::deck {
namespace {

using test::small_schema;

constexpr std::string_view seed_deck = R"(problem = "heat2d"  # a comment
[grid]
size = [[8, 8], [0x10, 1_0, 3]]
steps = 10
[halo]
depth = [1, 2]
transport = 'pinned'
[run]
verify = true
timeout = 6.0e1
weights = [0.1, -0.2]
tags = ["a", """b
c""", "\u00e9"]
)";

constexpr std::array<std::string_view, 16> pieces = {"[",   "]",     "[[",         "=",          "\"", "'''",
                                                     "{",   "}",     ",",          "\n",         ".",  "#",
                                                     "nan", "1e999", "2024-01-01", "\\U0010FFFF"};

/// Removes, repeats, replaces or inserts a few bytes or pieces of TOML.
std::string mutate(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(12);
    switch (below(4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(below(text.size() + 1), length));
        break;
      case 2:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      default:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
    }
  }
  return text;
}

/// Loads; anything but a sweep or a UsageError ends the test. A deck that loads must load again from its own
/// TOML.
bool loads(const std::string& text, const std::vector<std::string>& overrides) {
  try {
    const Sweep sweep = load_text(small_schema(), text, "fuzz.toml", overrides);
    const Sweep again = load_text(small_schema(), sweep.to_toml(), "again.toml");
    EXPECT_EQ(again.size(), sweep.size()) << text;
    EXPECT_EQ(again.point(sweep.size() - 1).as_map(), sweep.point(sweep.size() - 1).as_map()) << text;
    return true;
  } catch (const UsageError& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return false;
  }
}

TEST(LoaderFuzz, MalformedDecksAreUsageErrors) {
  std::mt19937 random(20260701);
  int good = 0;
  int bad = 0;
  for (int i = 0; i < 5000; ++i) (loads(mutate(std::string(seed_deck), random), {}) ? good : bad)++;
  EXPECT_GT(good, 100) << "the mutations must reach behind the parser";
  EXPECT_GT(bad, 1000);
}

TEST(LoaderFuzz, MalformedOverridesAreUsageErrors) {
  std::mt19937 random(7);
  int good = 0;
  int bad = 0;
  const std::array<std::string, 4> seeds = {"halo.depth=[1, 2, 4]", "run.folder=a b",
                                            "grid.size=[[8, 8], [4, 4]]", "run.tags=[a, b]"};
  for (int i = 0; i < 4000; ++i) (loads("", {mutate(seeds[random() % seeds.size()], random)}) ? good : bad)++;
  EXPECT_GT(good, 100);
  EXPECT_GT(bad, 1000);
}

TEST(LoaderFuzz, DeepNestingIsAUsageError) {
  EXPECT_FALSE(loads("a = " + std::string(100000, '['), {}));
  EXPECT_FALSE(loads("", {"halo.depth=" + std::string(100000, '[')}));
}

}  // namespace
}  // namespace haloheap::deck
