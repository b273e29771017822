// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/command_line.hpp>
#include <haloheap/miniapp/deck/value.hpp>
#include <haloheap/miniapp/deck/words.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <array>
#include <memory>
#include <utility>

namespace haloheap::deck {
namespace {

constexpr std::string_view usage =
    "Usage: haloheap DECK [key=value ...] [options]\n       haloheap advise [DECK] [key=value ...] [options]";

constexpr const char* details = R"(Arguments:
  DECK                        A TOML file; input/ has examples
  advise                      Measures this machine for about a minute, prints what the deck should choose, and
                              writes a deck that does; no deck: heat2d as it is by default
  key=value ...               Takes the place of what the deck says, for example halo.depth=4. A list sweeps, for
                              example halo.depth=[1,2,4]; the run is all combinations of the lists
  --kokkos-...                For Kokkos, for example --kokkos-num-threads=4; --kokkos-help lists them

Exit codes: 0 success, 1 internal error, 2 wrong deck or command line, 3 not possible in this build or on this
machine, 4 out of memory, 5 files, 6 communication, 7 verification failed, 8 device error.)";

constexpr const char* remedy = "haloheap --help lists the options";

/// CLI11 cannot name positional arguments of two kinds: the usage and their list are written by hand.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
    return std::string(usage) + "\n";
  }
  std::string make_positionals(const CLI::App* /*app*/) const override { return ""; }
};

struct ActionFlag {
  const char* name;
  Action action;
  const char* help;
  bool needs_deck;
  bool given = false;
};

std::array<ActionFlag, 7> action_flags() {
  return {
      {{"--validate", Action::validate, "Check the deck, run nothing", true},
       {"--print-deck", Action::print_deck, "Print the deck with its defaults and what each key means", true},
       {"--dry-run", Action::dry_run, "Print memory, message sizes and the points, run nothing", true},
       {"--list", Action::list, "Print the problems, transports, memory resources and devices", false},
       {"--deck-reference", Action::deck_reference, "Print all keys of the deck as Markdown", false},
       {"--results-schema", Action::results_schema, "Print the JSON schema of results.json", false},
       {"--results-reference", Action::results_reference, "Print all measured quantities as Markdown",
        false}}};
}

bool is_override(const std::string& argument) {
  constexpr std::string_view name_characters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  const std::size_t equals = argument.find('=');
  const std::string name = trim(argument.substr(0, equals));
  return equals != std::string::npos && name.find_first_not_of(name_characters) == std::string::npos;
}

/// The arguments without those that are for Kokkos, last first as CLI11 wants them.
std::vector<std::string> own_arguments(int argc, const char* const* argv) {
  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) {
    const std::string argument = argv[i];
    if (argument.rfind("--kokkos-", 0) != 0) arguments.push_back(argument);
  }
  return arguments;
}

void refuse_unknown_options(const CLI::App& app) {
  const std::vector<std::string> unknown = app.remaining();
  if (unknown.empty()) return;
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::string option = unknown.front().substr(0, unknown.front().find('='));
  throw UsageError(fmt::format("unknown option {} (nearest: {})", option, nearest(option, names)),
                   "nothing was run", remedy);
}

void sort_arguments(const std::vector<std::string>& arguments, CommandLine& line) {
  for (const std::string& argument : arguments) {
    if (is_override(argument)) {
      line.overrides.push_back(argument);
    } else if (argument == "advise" && line.deck.empty() && line.action != Action::advise) {
      line.action = Action::advise;
    } else if (line.deck.empty()) {
      line.deck = argument;
    } else {
      throw UsageError(fmt::format("\"{}\" is not of the form key=value, and the deck is already \"{}\"",
                                   argument, line.deck),
                       "nothing was run", std::string(usage));
    }
  }
}

/// Sets the action; the flags of two actions do not go together.
void choose_action(const std::array<ActionFlag, 7>& flags, CommandLine& line) {
  const ActionFlag* chosen = nullptr;
  for (const ActionFlag& flag : flags) {
    if (!flag.given) continue;
    if (chosen != nullptr) {
      throw UsageError(fmt::format("{} and {} do not go together", chosen->name, flag.name),
                       "nothing was run", remedy);
    }
    chosen = &flag;
  }
  if (chosen != nullptr && line.action == Action::advise)
    throw UsageError(fmt::format("advise and {} do not go together", chosen->name), "nothing was run",
                     remedy);
  if (chosen != nullptr) line.action = chosen->action;
  if (!line.kept.empty() && line.action != Action::advise)
    throw UsageError("--keep goes with advise only", "nothing was run", remedy);
  const bool needs_deck = chosen == nullptr ? line.action == Action::run : chosen->needs_deck;
  if (needs_deck && line.deck.empty())
    throw UsageError("no deck was given", "nothing was run", std::string(usage));
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv, std::string_view version) {
  CommandLine line;
  std::vector<std::string> arguments;
  std::string output;
  std::array<ActionFlag, 7> flags = action_flags();

  CLI::App app("Deep halos and memory on Kokkos, MPI and GPUs: runs what a deck describes.\n", "haloheap");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "Print this text");
  app.set_version_flag("--version", std::string(version), "Print the version");
  app.add_option("arguments", arguments);
  for (ActionFlag& flag : flags) app.add_flag(flag.name, flag.given, flag.help)->disable_flag_override();
  CLI::Option* output_option = app.add_option("-o,--output", output, "Folder of the results (output.folder)");
  output_option->option_text("FOLDER");
  app.add_flag("-q,--quiet", line.quiet, "No progress line and no table")->disable_flag_override();
  app.add_option("--keep", line.kept,
                 "With advise: leave this key as the deck has it, e.g. halo.depth (may be repeated)")
      ->option_text("KEY")
      ->allow_extra_args(false);
  app.footer(details);
  app.allow_extras();

  try {
    app.parse(own_arguments(argc, argv));
  } catch (const CLI::CallForHelp&) {
    return {Action::print_text, "", {}, false, app.help()};
  } catch (const CLI::CallForVersion&) {
    return {Action::print_text, "", {}, false, std::string(version) + "\n"};
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what(), "nothing was run", remedy);
  }
  refuse_unknown_options(app);
  sort_arguments(arguments, line);
  if (output_option->count() > 0) line.overrides.push_back("output.folder=" + to_toml(output));
  choose_action(flags, line);
  return line;
}

}  // namespace haloheap::deck
