// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/schema.hpp>
#include <haloheap/unit/miniapp/deck/helpers.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace haloheap::deck {
namespace {

using namespace std::string_literals;
using test::caught;
using test::small_schema;

std::string wrong(std::string_view key, const Value& value) {
  const Schema schema = small_schema();
  return violation(*schema.find(key), value).value_or("");
}

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

TEST(Schema, RangeIsInclusive) {
  EXPECT_EQ(wrong("halo.depth", std::int64_t{1}), "");
  EXPECT_EQ(wrong("halo.depth", std::int64_t{64}), "");
  EXPECT_EQ(wrong("halo.depth", std::int64_t{0}), "0 is out of range (allowed: 1 to 64 steps)");
  EXPECT_EQ(wrong("halo.depth", std::int64_t{65}), "65 is out of range (allowed: 1 to 64 steps)");
  EXPECT_EQ(wrong("grid.steps", std::int64_t{-1}), "-1 is out of range (allowed: at least 0)");
  EXPECT_EQ(wrong("run.timeout", 0.25), "0.25 is out of range (allowed: 0.5 to 100 s)");
}

TEST(Schema, RealsMustBeFinite) {
  EXPECT_EQ(wrong("run.timeout", std::nan("")), "nan is not a finite number");
  EXPECT_EQ(wrong("run.timeout", INFINITY), "inf is not a finite number");
  EXPECT_EQ(wrong("run.weights", Reals{1.0, -INFINITY}), "-inf is not a finite number");
}

TEST(Schema, ChoicesNameTheNearest) {
  EXPECT_EQ(wrong("halo.transport", "pinned"s), "");
  EXPECT_EQ(wrong("halo.transport", "pined"s),
            "\"pined\" is not a valid choice (allowed: \"pageable\", \"pinned\"; nearest: \"pinned\")");
}

TEST(Schema, ListsHaveLengthsAndLimitsForEachEntry) {
  EXPECT_EQ(wrong("grid.size", Integers{4, 4, 4}), "");
  EXPECT_EQ(wrong("grid.size", Integers{4}), "a list of 1 entry is too short (allowed: 2 to 3 entries)");
  EXPECT_EQ(wrong("grid.size", Integers{}), "a list of 0 entries is too short (allowed: 2 to 3 entries)");
  EXPECT_EQ(wrong("grid.size", Integers{1, 2, 3, 4}),
            "a list of 4 entries is too long (allowed: 2 to 3 entries)");
  EXPECT_EQ(wrong("grid.size", Integers{4, 0}), "0 is out of range (allowed: 1 to 100 cells)");
}

TEST(Schema, AListMayBeEmptyWhereItsDefaultIs) {
  EXPECT_EQ(wrong("run.weights", Reals{}), "");
  EXPECT_EQ(wrong("run.weights", Reals{1.0}),
            "a list of 1 entry is too short (allowed: 2 to 3 entries or none)");
}

TEST(Schema, AllowedInWords) {
  const Schema schema = small_schema();
  EXPECT_EQ(schema.find("grid.size")->allowed(), "2 to 3 entries, each 1 to 100 cells");
  EXPECT_EQ(schema.find("halo.transport")->allowed(), "\"pageable\", \"pinned\"");
  EXPECT_EQ(schema.find("run.verify")->allowed(), "");
  Schema other;
  Section& section = other.section("a", "A");
  section.integers("exactly", {1, 2}).length(2, 2);
  EXPECT_EQ(other.find("a.exactly")->allowed(), "2 entries");
}

TEST(Schema, LooksUpByFullName) {
  const Schema schema = small_schema();
  ASSERT_NE(schema.find("halo.depth"), nullptr);
  EXPECT_EQ(schema.find("halo.depth")->leaf(), "depth");
  EXPECT_EQ(schema.find("problem")->leaf(), "problem");
  EXPECT_EQ(schema.find("depth"), nullptr);
  EXPECT_EQ(schema.find(""), nullptr);
  EXPECT_NE(schema.find_section("halo"), nullptr);
  EXPECT_EQ(schema.find_section("problem"), nullptr);
}

TEST(Schema, NearestKeyKnowsSpellingAndWrongSections) {
  const Schema schema = small_schema();
  EXPECT_EQ(schema.nearest_key("halo.dpeth"), "halo.depth");
  EXPECT_EQ(schema.nearest_key("hallo.depth"), "halo.depth");
  EXPECT_EQ(schema.nearest_key("depth"), "halo.depth");
  EXPECT_EQ(schema.nearest_key("run.steps"), "grid.steps");
  EXPECT_EQ(schema.nearest_key("problm"), "problem");
  EXPECT_EQ(schema.nearest_section("gird"), "grid");
}

TEST(Schema, KeysComeInSchemaOrderWithTheTopFirst) {
  Schema schema;
  schema.section("b", "B").integer("one", 1);
  schema.section("a", "A").integer("two", 2);
  schema.section("b", "ignored: b has its title").integer("three", 3);
  schema.section("", "Top").integer("four", 4);

  std::vector<std::string> names;
  for (const Key* key : schema.keys()) names.push_back(key->name);
  EXPECT_EQ(names, (std::vector<std::string>{"four", "b.one", "b.three", "a.two"}));
  EXPECT_EQ(schema.find_section("b")->title(), "B");
}

TEST(Schema, MistakesInTheSchemaAreInternalErrors) {
  Schema schema;
  Section& section = schema.section("a", "A");
  section.integer("key", 1);
  EXPECT_EQ(caught([&] { section.real("key", 1.0); }).text, "the schema has the key a.key twice");
  EXPECT_EQ(caught([&] { section.integer("low", 1).range(2, 3); }).text,
            "the default of a.low is not allowed: 1 is out of range (allowed: 2 to 3)");
  EXPECT_EQ(caught([&] { section.text("none", "x").choices({}); }).text, "a.none was given no choices");
  EXPECT_EQ(caught([&] { schema.section("a.b", ""); }).text, "the section name a.b has a dot");
  EXPECT_EQ(caught([&] { violation(*schema.find("a.key"), 1.0); }).text,
            "a.key was given a real number, but is an integer");
  EXPECT_EQ(caught([&] { schema.section("a.b", ""); }).exit_code, 1);
}

TEST(Reference, HasOneRowForEachKey) {
  const std::string text = write_reference(small_schema());
  EXPECT_NE(
      text.find(
          "\n## Above\n\n| key | type | default | unit | allowed | meaning |\n|---|---|---|---|---|---|\n"
          "| `problem` | string | `\"heat2d\"` |  | \"heat2d\", \"heat3d\" | What is solved |\n"),
      std::string::npos);
  EXPECT_NE(text.find("\n## `[halo]` Halo exchange\n"), std::string::npos);
  EXPECT_NE(text.find("| `halo.depth` | integer | `1` | steps | 1 to 64 steps | Depth |\n"),
            std::string::npos);
  EXPECT_NE(text.find("| How a \\| b |\n"), std::string::npos) << "a pipe in a cell is escaped";
  EXPECT_NE(text.find("| `run.weights` | reals | `[]` |  | 2 to 3 entries or none | Weights |\n"),
            std::string::npos);
  EXPECT_EQ(text.find("<!-- SPDX"), 0u);
}

}  // namespace
}  // namespace haloheap::deck
