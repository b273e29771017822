// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/command_line.hpp>
#include <haloheap/unit/miniapp/deck/helpers.hpp>

#include <gtest/gtest.h>

namespace haloheap::deck {
namespace {

using test::caught;
using Names = std::vector<std::string>;

CommandLine parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "haloheap");
  return parse_command_line(static_cast<int>(arguments.size()), arguments.data(), "haloheap 1.2.3");
}

std::string error_of(std::vector<const char*> arguments) {
  const auto error = caught([&] { parse(std::move(arguments)); });
  EXPECT_EQ(error.exit_code, 2);
  return error.text;
}

TEST(CommandLine, DeckAndOverrides) {
  const CommandLine line = parse({"a.toml", "halo.depth=4", "run.folder=x y", "problem=heat3d"});
  EXPECT_EQ(line.action, Action::run);
  EXPECT_EQ(line.deck, "a.toml");
  EXPECT_EQ(line.overrides, (Names{"halo.depth=4", "run.folder=x y", "problem=heat3d"}));
  EXPECT_FALSE(line.quiet);
}

TEST(CommandLine, OrderDoesNotMatter) {
  const CommandLine line = parse({"-q", "halo.depth=-4", "--dry-run", "runs/d=4/a.toml"});
  EXPECT_EQ(line.action, Action::dry_run);
  EXPECT_EQ(line.deck, "runs/d=4/a.toml") << "no key has a slash";
  EXPECT_EQ(line.overrides, Names{"halo.depth=-4"});
  EXPECT_TRUE(line.quiet);
}

TEST(CommandLine, ActionsOfADeck) {
  EXPECT_EQ(parse({"a.toml", "--validate"}).action, Action::validate);
  EXPECT_EQ(parse({"a.toml", "--print-deck"}).action, Action::print_deck);
  EXPECT_EQ(parse({"--dry-run", "a.toml"}).action, Action::dry_run);
}

TEST(CommandLine, AdviseTakesADeckOrNone) {
  EXPECT_EQ(parse({"advise"}).action, Action::advise);
  EXPECT_EQ(parse({"advise"}).deck, "");
  const CommandLine line = parse({"halo.depth=2", "advise", "a.toml", "-q"});
  EXPECT_EQ(line.action, Action::advise);
  EXPECT_EQ(line.deck, "a.toml");
  EXPECT_EQ(line.overrides, (std::vector<std::string>{"halo.depth=2"}));
  EXPECT_TRUE(line.quiet);
  const CommandLine kept = parse({"advise", "--keep", "halo.depth", "a.toml", "--keep=halo.graph"});
  EXPECT_EQ(kept.kept, (std::vector<std::string>{"halo.depth", "halo.graph"}));
  EXPECT_EQ(kept.deck, "a.toml");
  EXPECT_TRUE(line.kept.empty());
  const auto misplaced = caught([] { parse({"a.toml", "--keep", "halo.depth"}); });
  EXPECT_EQ(misplaced.text.substr(0, misplaced.text.find('\n')), "--keep goes with advise only");
  EXPECT_EQ(parse({"./advise"}).action, Action::run);
  EXPECT_EQ(parse({"advise", "advise"}).deck, "advise");
  const auto error = caught([] { parse({"advise", "--list"}); });
  EXPECT_EQ(error.exit_code, 2);
  EXPECT_EQ(error.text.substr(0, error.text.find('\n')), "advise and --list do not go together");
}

TEST(CommandLine, ActionsWithoutADeck) {
  EXPECT_EQ(parse({"--list"}).action, Action::list);
  EXPECT_EQ(parse({"--deck-reference"}).action, Action::deck_reference);
  EXPECT_EQ(parse({"--results-schema"}).action, Action::results_schema);
  EXPECT_EQ(parse({"--results-reference"}).action, Action::results_reference);
}

TEST(CommandLine, OutputBecomesAnOverride) {
  EXPECT_EQ(parse({"a.toml", "-o", "out"}).overrides, Names{"output.folder=\"out\""});
  EXPECT_EQ(parse({"a.toml", "--output=a\"b"}).overrides, Names{"output.folder=\"a\\\"b\""});
}

TEST(CommandLine, KokkosArgumentsAreNotOurs) {
  const CommandLine line = parse({"--kokkos-num-threads=4", "a.toml", "--kokkos-unknown"});
  EXPECT_EQ(line.deck, "a.toml");
  EXPECT_TRUE(line.overrides.empty());
}

TEST(CommandLine, HelpIsTextAndNoExit) {
  for (const char* flag : {"--help", "-h"}) {
    const CommandLine line = parse({flag});
    EXPECT_EQ(line.action, Action::print_text);
    for (const char* words :
         {"Usage: haloheap DECK [key=value ...] [options]", "halo.depth=4", "--validate", "--print-deck",
          "--dry-run", "--list", "--deck-reference", "--results-schema", "--results-reference", "--version",
          "-o,--output", "-q,--quiet", "--kokkos-num-threads=4", "Exit codes:"}) {
      EXPECT_NE(line.text.find(words), std::string::npos) << words << " is missing in\n" << line.text;
    }
  }
}

TEST(CommandLine, VersionIsTextAndNoExit) {
  const CommandLine line = parse({"--version"});
  EXPECT_EQ(line.action, Action::print_text);
  EXPECT_EQ(line.text, "haloheap 1.2.3\n");
}

TEST(CommandLine, Mistakes) {
  const std::string remedy = "\n  consequence: nothing was run\n  remedy: haloheap --help lists the options";
  const std::string usage =
      "\n  consequence: nothing was run\n  remedy: Usage: haloheap DECK [key=value ...] "
      "[options]\n       haloheap advise [DECK] [key=value ...] [options]";
  EXPECT_EQ(error_of({}), "no deck was given" + usage);
  EXPECT_EQ(error_of({"halo.depth=4"}), "no deck was given" + usage);
  EXPECT_EQ(error_of({"--validate"}), "no deck was given" + usage);
  EXPECT_EQ(error_of({"a.toml", "halo.depth"}),
            "\"halo.depth\" is not of the form key=value, and the deck is already \"a.toml\"" + usage);
  EXPECT_EQ(error_of({"a.toml", "--validat"}), "unknown option --validat (nearest: --validate)" + remedy);
  EXPECT_EQ(error_of({"a.toml", "--outptu=x"}), "unknown option --outptu (nearest: --output)" + remedy);
  EXPECT_EQ(error_of({"a.toml", "--validate", "--list"}),
            "--validate and --list do not go together" + remedy);
  EXPECT_EQ(error_of({"a.toml", "--validate=false"}),
            "validate was given a disallowed flag override" + remedy);
  EXPECT_EQ(error_of({"a.toml", "-o", "a", "-o", "b"}),
            "--output: At Most 1 required but received 2" + remedy);
  EXPECT_EQ(error_of({"a.toml", "-o"}), "--output: 1 required TEXT missing" + remedy);
}

}  // namespace
}  // namespace haloheap::deck
