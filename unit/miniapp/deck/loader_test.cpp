// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/unit/miniapp/deck/helpers.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace haloheap::deck {
namespace {

using test::caught;
using test::small_schema;
using Integers = std::vector<std::int64_t>;
using Names = std::vector<std::string>;

Sweep sweep_of(const std::string& text, const Names& overrides = {}) {
  return load_text(small_schema(), text, "a.toml", overrides);
}

/// The findings alone; checks the rest of the message and the exit code.
std::string findings(const std::string& text, const Names& overrides = {}) {
  const auto error = caught([&] { sweep_of(text, overrides); });
  if (error.exit_code == 0) return "";
  EXPECT_EQ(error.exit_code, 2);
  const std::string tail =
      "\n  consequence: nothing was run\n  remedy: haloheap --deck-reference lists all keys and what they "
      "accept";
  EXPECT_TRUE(error.text.ends_with(tail)) << error.text;
  return error.text.substr(0, error.text.size() - tail.size());
}

TEST(Loader, AnEmptyDeckIsOnePointOfDefaults) {
  const Sweep sweep = sweep_of("");
  EXPECT_EQ(sweep.size(), 1u);
  EXPECT_EQ(sweep.path(), "a.toml");
  EXPECT_TRUE(sweep.swept_keys().empty());
  EXPECT_EQ(sweep.point(0).as_map(), Deck(small_schema()).as_map());
}

TEST(Loader, ReadsValuesAndTheirPlaces) {
  const Deck deck = sweep_of("problem = \"heat3d\"\n[halo]\n  depth   = 4\n[run]\ntimeout = 2\n").point(0);
  EXPECT_EQ(deck.get<std::string>("problem"), "heat3d");
  EXPECT_EQ(deck.get<std::int64_t>("halo.depth"), 4);
  EXPECT_EQ(deck.get<double>("run.timeout"), 2.0) << "an integer is a real number too";
  EXPECT_EQ(deck.location("problem"), "a.toml:1:11");
  EXPECT_EQ(deck.location("halo.depth"), "a.toml:3:13");
  EXPECT_EQ(deck.location("grid.steps"), "default");
}

TEST(Loader, AutoWhereTheKeyTakesIt) {
  const auto sweep = [](const std::string& text, const Names& overrides = {}) {
    Schema schema;
    schema.section("halo", "Halo").integer("depth", 1).range(1, 64).unit("steps").or_auto();
    schema.section("halo", "").text("overlap", "none").choices({"none", "all"}).or_auto();
    return load_text(schema, text, "a.toml", overrides);
  };
  const Sweep both = sweep("[halo]\ndepth = [2, \"auto\"]\noverlap = \"auto\"");
  EXPECT_EQ(both.point(0).get<std::int64_t>("halo.depth"), 2);
  EXPECT_EQ(both.point(1).get<std::int64_t>("halo.depth"), automatic);
  EXPECT_EQ(both.point(0).get<std::string>("halo.overlap"), "auto");
  EXPECT_EQ(sweep("", {"halo.depth=auto"}).point(0).get<std::int64_t>("halo.depth"), automatic);
  EXPECT_EQ(load_text(both.point(1).schema(), both.to_toml(), "b.toml").point(1).as_map(),
            both.point(1).as_map());
  EXPECT_EQ(both.point(1).schema().find("halo.depth")->allowed(), "1 to 64 steps, \"auto\"");
  EXPECT_THROW(sweep("halo.depth = \"aut\""), UsageError);
  EXPECT_EQ(
      findings("halo.depth = \"auto\""),
      "a.toml:1:14: halo.depth: expected an integer, found the string \"auto\" (allowed: 1 to 64 steps)");
}

TEST(Loader, DottedAndInlineTablesAreSections) {
  EXPECT_EQ(sweep_of("halo.depth = 3").point(0).get<std::int64_t>("halo.depth"), 3);
  EXPECT_EQ(sweep_of("halo = { depth = 3 }").point(0).get<std::int64_t>("halo.depth"), 3);
}

TEST(Loader, UnknownKeysNameTheNearest) {
  EXPECT_EQ(findings("[halo]\ndpeth = 2"),
            "a.toml:2:1: halo.dpeth: unknown key (nearest valid key: halo.depth)");
  EXPECT_EQ(findings("depth = 2"), "a.toml:1:1: depth: unknown key (nearest valid key: halo.depth)");
  EXPECT_EQ(findings("\"\" = 2").substr(0, 25), "a.toml:1:1: unknown key (");
  EXPECT_EQ(findings("[grid]\n\"si.ze\" = 2"),
            "a.toml:2:1: grid.si.ze: unknown key (nearest valid key: grid.size)");
}

TEST(Loader, UnknownSectionsNameTheNearest) {
  EXPECT_EQ(findings("[hallo]\ndepth = 2\ntransport = 1"),
            "a.toml:1:2: [hallo]: unknown section (nearest valid section: [halo])");
  EXPECT_EQ(findings("[[hallo]]"), "a.toml:1:3: [hallo]: unknown section (nearest valid section: [halo])");
}

TEST(Loader, SectionsAreTables) {
  EXPECT_EQ(findings("halo = 4"),
            "a.toml:1:1: halo: this is a section, not a key (write [halo] once, and its keys below)");
  EXPECT_EQ(findings("[[halo]]\ndepth = 1"),
            "a.toml:1:3: halo: this is a section, not a key (write [halo] once, and its keys below)");
}

TEST(Loader, AListOfDecksIsNoDeck) {
  EXPECT_EQ(
      findings("preset = \"cuda\"\n[[run]]\ndeck = \"a.toml\"\n[[run]]\ndeck = \"b.toml\""),
      "a.toml:2:1: [[run]]: this is a list of decks, which scripts/run runs (a deck has one section [run])");
}

TEST(Loader, WrongTypes) {
  EXPECT_EQ(findings("[halo]\ndepth = \"4\""),
            "a.toml:2:9: halo.depth: expected an integer, found the string \"4\" (allowed: 1 to 64 steps)");
  EXPECT_EQ(
      findings("[halo]\ndepth = 4.0"),
      "a.toml:2:9: halo.depth: expected an integer, found the real number 4.0 (allowed: 1 to 64 steps)");
  EXPECT_EQ(findings("[run]\nverify = 1"),
            "a.toml:2:10: run.verify: expected true or false, found the integer 1");
  EXPECT_EQ(findings("[run]\nfolder = true"),
            "a.toml:2:10: run.folder: expected a string, found the boolean true");
  EXPECT_EQ(findings("[run]\nfolder = 2026-01-01"),
            "a.toml:2:10: run.folder: expected a string, found a date or time");
  EXPECT_EQ(findings("[run.folder]\na = 1"), "a.toml:1:1: run.folder: expected a string, found a table");
  EXPECT_EQ(findings("run.folder.a = 1"), "a.toml:1:5: run.folder: expected a string, found a table");
  EXPECT_EQ(findings("[grid]\nsize = 8"),
            "a.toml:2:8: grid.size: expected a list of integers, found the integer 8 (allowed: 2 to 3 "
            "entries, each 1 to "
            "100 cells)");
  EXPECT_EQ(findings("[grid]\nsize = [8, 8.5]"),
            "a.toml:2:8: grid.size: expected a list of integers, found a list with the real number 8.5 "
            "(allowed: 2 to 3 "
            "entries, each 1 to 100 cells)");
}

TEST(Loader, LimitsAndChoices) {
  EXPECT_EQ(findings("[halo]\ndepth = 65"),
            "a.toml:2:9: halo.depth: 65 is out of range (allowed: 1 to 64 steps)");
  EXPECT_EQ(findings("[halo]\ndepth = [1, 0]"),
            "a.toml:2:13: halo.depth: 0 is out of range (allowed: 1 to 64 steps)");
  EXPECT_EQ(findings("[run]\ntimeout = nan"), "a.toml:2:11: run.timeout: nan is not a finite number");
  EXPECT_EQ(findings("[halo]\ntransport = \"pined\""),
            "a.toml:2:13: halo.transport: \"pined\" is not a valid choice (allowed: \"pageable\", "
            "\"pinned\"; nearest: "
            "\"pinned\")");
  EXPECT_EQ(findings("[grid]\nsize = [8]"),
            "a.toml:2:8: grid.size: a list of 1 entry is too short (allowed: 2 to 3 entries)");
}

TEST(Loader, EmptyListsSweepNothing) {
  EXPECT_EQ(findings("[halo]\ndepth = []"),
            "a.toml:2:9: halo.depth: expected an integer, found an empty list");
  EXPECT_EQ(findings("[halo]\ndepth = [[1]]"),
            "a.toml:2:10: halo.depth: expected an integer, found a list (allowed: 1 to 64 steps)");
}

TEST(Loader, SyntaxErrorsHaveTheirPlace) {
  // What follows these words is toml++'s.
  EXPECT_TRUE(findings("[halo]\ndepth = \n").starts_with("a.toml:2:9: not valid TOML: "));
  EXPECT_TRUE(findings("[halo]\n[halo]").starts_with("a.toml:2:"));
  const std::string twice = findings("[halo]\ndepth = 1\ndepth = 2");
  EXPECT_TRUE(twice.starts_with("a.toml:3:9: not valid TOML: ")) << twice;
  EXPECT_NE(twice.find("'depth'"), std::string::npos) << twice;
}

TEST(Loader, AllFindingsComeAtOnceInTheOrderOfTheDeck) {
  EXPECT_EQ(findings("[run]\nverify = 3\n[halo]\ndepth = 0\ndept = 1\n[gird]\n", {"grid.steps=-1", "what"}),
            "a.toml:2:10: run.verify: expected true or false, found the integer 3\n"
            "a.toml:4:9: halo.depth: 0 is out of range (allowed: 1 to 64 steps)\n"
            "a.toml:5:1: halo.dept: unknown key (nearest valid key: halo.depth)\n"
            "a.toml:6:2: [gird]: unknown section (nearest valid section: [grid])\n"
            "command line: grid.steps: -1 is out of range (allowed: at least 0)\n"
            "command line: \"what\" is not of the form key=value");
}

TEST(Loader, FilesThatCannotBeRead) {
  const std::filesystem::path folder = testing::TempDir();
  const std::string tail =
      "\n  consequence: nothing was run\n  remedy: give the path of a TOML file first: haloheap DECK "
      "[key=value ...]";
  const auto load_error = [](const std::string& path) { return caught([&] { load(small_schema(), path); }); };
  EXPECT_EQ(load_error("no/such.toml").text,
            "no/such.toml: cannot read the deck: No such file or directory" + tail);
  EXPECT_EQ(load_error("no/such.toml").exit_code, 2);
  EXPECT_EQ(load_error(folder).text, folder.string() + ": cannot read the deck: it is a folder" + tail);
  EXPECT_EQ(load_error("").text, ": cannot read the deck: No such file or directory" + tail);

  const std::string large = folder / "large.toml";
  std::ofstream(large) << std::string((8u << 20) + 1, '\n');
  EXPECT_EQ(load_error(large).text, large + ": cannot read the deck: it is larger than 8 MiB" + tail);
  std::filesystem::remove(large);
}

TEST(Loader, ReadsFiles) {
  const std::string path = std::filesystem::path(testing::TempDir()) / "haloheap_loader_test.toml";
  std::ofstream(path) << "[halo]\r\ndepth = [2, 4]\r\n";
  const Sweep sweep = load(small_schema(), path, {"grid.steps=5"});
  std::filesystem::remove(path);
  EXPECT_EQ(sweep.size(), 2u);
  EXPECT_EQ(sweep.point(1).get<std::int64_t>("halo.depth"), 4);
  EXPECT_EQ(sweep.point(1).location("halo.depth"), path + ":2:13");
}

TEST(Overrides, TakeThePlaceOfTheDeck) {
  const Deck deck = sweep_of("[halo]\ndepth = 4", {"halo.depth=8", " run.verify = true "}).point(0);
  EXPECT_EQ(deck.get<std::int64_t>("halo.depth"), 8);
  EXPECT_TRUE(deck.get<bool>("run.verify"));
  EXPECT_EQ(deck.location("halo.depth"), "command line");
}

TEST(Overrides, BareWordsAreStrings) {
  const auto folder = [](const std::string& text) {
    return sweep_of("", {"run.folder=" + text}).point(0).get<std::string>("run.folder");
  };
  EXPECT_EQ(folder("out"), "out");
  EXPECT_EQ(folder("\"out\""), "out");
  EXPECT_EQ(folder("'a=b'"), "a=b");
  EXPECT_EQ(folder("/tmp/a b#1"), "/tmp/a b#1");
  EXPECT_EQ(folder("2024"), "2024");
  EXPECT_EQ(folder("2024-01-01"), "2024-01-01");
  EXPECT_EQ(folder("true"), "true");
  EXPECT_EQ(folder("a\\b"), "a\\b");
  EXPECT_EQ(folder("Grüße"), "Grüße");
  EXPECT_EQ(folder("\"\""), "");
}

TEST(Overrides, ListsSweep) {
  EXPECT_EQ(sweep_of("", {"halo.depth=[1,2,4]"}).size(), 3u);
  const Sweep words = sweep_of("", {"halo.transport=[pinned, pageable]"});
  ASSERT_EQ(words.size(), 2u);
  EXPECT_EQ(words.point(0).get<std::string>("halo.transport"), "pinned");
  EXPECT_EQ(sweep_of("", {"halo.transport=[\"pinned\"]"}).size(), 1u);
  EXPECT_EQ(sweep_of("", {"grid.size=[4,5]"}).point(0).get<Integers>("grid.size"), (Integers{4, 5}));
  EXPECT_EQ(sweep_of("", {"grid.size=[[4,5],[6,7]]"}).point(1).get<Integers>("grid.size"), (Integers{6, 7}));
  EXPECT_EQ(sweep_of("", {"run.tags=[x,y]"}).point(0).get<Names>("run.tags"), (Names{"x", "y"}));
  EXPECT_EQ(sweep_of("", {"run.tags=[[x],[y,z]]"}).point(1).get<Names>("run.tags"), (Names{"y", "z"}));
}

TEST(Overrides, Mistakes) {
  const auto finding = [](const std::string& text) { return findings("", {text}); };
  EXPECT_EQ(finding("halo.depth"), "command line: \"halo.depth\" is not of the form key=value");
  EXPECT_EQ(finding("halo.depth=[1, 0]"),
            "command line: halo.depth: 0 is out of range (allowed: 1 to 64 steps)");
  EXPECT_EQ(finding("=4"), "command line: \"=4\" is not of the form key=value");
  EXPECT_EQ(finding(""), "command line: \"\" is not of the form key=value");
  EXPECT_EQ(finding("halo.dept=4"), "command line: halo.dept: unknown key (nearest valid key: halo.depth)");
  EXPECT_EQ(finding("halo=4").substr(0, 32), "command line: halo: unknown key ");
  EXPECT_EQ(finding("halo.depth="), "command line: halo.depth: \"\" cannot be read as an integer");
  EXPECT_EQ(finding("halo.depth=[1,"), "command line: halo.depth: \"[1,\" cannot be read as an integer");
  EXPECT_EQ(finding("run.folder=\"a"), "command line: run.folder: \"\"a\" cannot be read as a string");
  EXPECT_EQ(finding("run.folder=a\nb=1"), "command line: run.folder: \"a\nb=1\" cannot be read as a string");
  EXPECT_EQ(finding("run.folder=\xff"), "command line: run.folder: \"\xff\" cannot be read as a string");
  EXPECT_EQ(findings("", {"halo.depth=1", "halo.depth=2"}),
            "command line: halo.depth: given twice, as \"1\" and as \"2\"");
}

TEST(Overrides, NothingHidesBehindCommentsOrCommas) {
  for (const std::string text : {"4#x", "4 # x", "4,", "4]#", "1,2", "4\tx=1"}) {
    EXPECT_NE(findings("", {"halo.depth=" + text}), "") << text;
  }
  EXPECT_EQ(
      findings("", {"halo.depth=1,2"}),
      "command line: halo.depth: expected an integer, found the string \"1,2\" (allowed: 1 to 64 steps)");
}

TEST(Overrides, TheDeckIsCheckedEvenWhereItIsOverridden) {
  EXPECT_EQ(findings("[halo]\ndepth = 0", {"halo.depth=1"}),
            "a.toml:2:9: halo.depth: 0 is out of range (allowed: 1 to 64 steps)");
}

}  // namespace
}  // namespace haloheap::deck
