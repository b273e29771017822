// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/deck/sweep.hpp>
#include <haloheap/unit/miniapp/deck/helpers.hpp>

#include <gtest/gtest.h>

#include <set>

namespace haloheap::deck {
namespace {

using test::caught;
using test::small_schema;
using Integers = std::vector<std::int64_t>;

Sweep sweep_of(const std::string& text) {
  return load_text(small_schema(), text, "a.toml");
}

TEST(Sweep, TheLastKeyInSchemaOrderVariesFastest) {
  // The order in the deck is another one on purpose.
  const Sweep sweep =
      sweep_of("[halo]\ntransport = ['pinned', 'pageable']\ndepth = [4, 1, 2]\n[grid]\nsteps = [0]");
  EXPECT_EQ(sweep.swept_keys(), (std::vector<std::string>{"halo.depth", "halo.transport"}));
  ASSERT_EQ(sweep.size(), 6u);
  std::vector<std::string> points;
  for (std::size_t i = 0; i < sweep.size(); ++i) {
    const Deck deck = sweep.point(i);
    points.push_back(to_string(deck.value("halo.depth")) + deck.get<std::string>("halo.transport"));
    EXPECT_EQ(deck.get<std::int64_t>("grid.steps"), 0);
  }
  EXPECT_EQ(points, (std::vector<std::string>{"4pinned", "4pageable", "1pinned", "1pageable", "2pinned",
                                              "2pageable"}));
}

TEST(Sweep, EachPointKnowsThePlaceOfItsEntry) {
  const Sweep sweep = sweep_of("halo.depth = [1,\n 2]");
  EXPECT_EQ(sweep.point(0).location("halo.depth"), "a.toml:1:15");
  EXPECT_EQ(sweep.point(1).location("halo.depth"), "a.toml:2:2");
}

TEST(Sweep, ListsSweepListsOfLists) {
  EXPECT_EQ(sweep_of("grid.size = [4, 5]").size(), 1u);
  const Sweep sizes = sweep_of("grid.size = [[4, 5], [6, 7, 8]]");
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_EQ(sizes.point(1).get<Integers>("grid.size"), (Integers{6, 7, 8}));
  const Sweep weights = sweep_of("run.weights = [[], [1, 2.5]]");
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_EQ(weights.point(0).get<std::vector<double>>("run.weights"), (std::vector<double>{}));
  EXPECT_EQ(weights.point(1).get<std::vector<double>>("run.weights"), (std::vector<double>{1.0, 2.5}));
  EXPECT_EQ(sweep_of("run.weights = []").size(), 1u) << "an empty list is a value of a list";
}

TEST(Sweep, AListOfListsMustHaveListsOnly) {
  const auto error = caught([] { sweep_of("grid.size = [[4, 5], 6]"); });
  EXPECT_EQ(error.text.substr(0, error.text.find(" (allowed")),
            "a.toml:1:22: grid.size: expected a list of integers, found the integer 6");
}

TEST(Sweep, AllPointsDiffer) {
  const Sweep sweep = sweep_of(
      "problem = ['heat2d', 'heat3d']\ngrid.steps = [1, 2, 3]\nhalo.depth = [1, 2, 3, 4, 5]\nrun.verify = "
      "[true, false]");
  ASSERT_EQ(sweep.size(), 60u);
  std::set<std::map<std::string, Value>> points;
  for (std::size_t i = 0; i < sweep.size(); ++i) points.insert(sweep.point(i).as_map());
  EXPECT_EQ(points.size(), 60u);
}

TEST(Sweep, BeyondTheLastPointIsAnInternalError) {
  const Sweep sweep = sweep_of("");
  EXPECT_EQ(caught([&] { sweep.point(1); }).text, "point 1 of a sweep of 1");
  EXPECT_EQ(caught([&] { sweep.point(1); }).exit_code, 1);
}

TEST(Sweep, TooManyPointsAreAMistake) {
  std::string list = "[";
  for (int i = 0; i < 400; ++i) list += "1, ";
  list += "]";
  const auto error = caught([&] { sweep_of("grid.steps = " + list + "\nhalo.depth = " + list); });
  EXPECT_EQ(error.text,
            "a.toml: the sweep has more than 100000 points\n  consequence: nothing was run\n"
            "  remedy: shorten the lists, or make several decks");
  EXPECT_EQ(error.exit_code, 2);
}

TEST(Sweep, TomlLoadsBackToTheSameSweep) {
  const Sweep sweep =
      sweep_of("grid.size = [[4, 5], [6, 7]]\nhalo.depth = [1, 2]\nrun.tags = [[], ['x', 'y z']]");
  for (const Comments comments : {Comments::none, Comments::help}) {
    const Sweep again = sweep_of(sweep.to_toml(comments));
    ASSERT_EQ(again.size(), sweep.size());
    EXPECT_EQ(again.swept_keys(), sweep.swept_keys());
    for (std::size_t i = 0; i < sweep.size(); ++i)
      EXPECT_EQ(again.point(i).as_map(), sweep.point(i).as_map());
  }
}

}  // namespace
}  // namespace haloheap::deck
