// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_DECK_COMMAND_LINE_HPP
#define HALOHEAP_MINIAPP_DECK_COMMAND_LINE_HPP

#include <string>
#include <string_view>
#include <vector>

namespace haloheap::deck {

/// What the program was asked to do.
enum class Action {
  run,                ///< run the deck
  advise,             ///< measure the machine, and say what the deck should have
  validate,           ///< check the deck and say so
  print_deck,         ///< print the deck with its defaults
  dry_run,            ///< print memory, message sizes and the points, and run nothing
  list,               ///< print the problems, transports, memory resources and devices
  deck_reference,     ///< print the deck reference as Markdown
  results_schema,     ///< print the JSON schema of results.json
  results_reference,  ///< print what is measured as Markdown
  print_text,         ///< print CommandLine::text
};

struct CommandLine {
  Action action = Action::run;
  std::string deck;                    ///< path; empty only where the action needs no deck
  std::vector<std::string> overrides;  ///< `key=value`; `--output` has become one of them
  bool quiet = false;                  ///< no progress, no table
  std::string text;                    ///< for print_text: the help or the version
  std::vector<std::string> kept = {};  ///< for advise: keys that stay as the deck has them
};

/// Reads the arguments after MPI and Kokkos have taken theirs; what still begins with `--kokkos-` is passed
/// over. An argument that begins with a name and `=` is an override, wherever it stands. Never exits. Throws
/// UsageError. `version` is what `--version` prints.
CommandLine parse_command_line(int argc, const char* const* argv, std::string_view version);

}  // namespace haloheap::deck

#endif
