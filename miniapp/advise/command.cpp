// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/agree.hpp>
#include <haloheap/miniapp/advise/advice.hpp>
#include <haloheap/miniapp/advise/command.hpp>
#include <haloheap/miniapp/advise/machine.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/deck/words.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_settings.hpp>
#include <haloheap/miniapp/report/output_file.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace haloheap::advise {
namespace {

/// What is measured, a line each time that it changes.
Say say_to_stderr(bool speaks) {
  if (!speaks) return {};
  return [last = std::string()](const std::string& what, double seconds) mutable {
    if (what != last) fmt::print(stderr, "{:5.1f} s  {}\n", seconds, what);
    last = what;
  };
}

/// One rank measures its link, the others wait.
std::optional<report::Table> measure_link(const deck::Deck& deck, const comm::Communicator& communicator,
                                          bool speaks) {
  std::optional<report::Table> table;
  const comm::Communicator own = communicator.split(communicator.rank());
  agree(communicator, [&] {
    if (communicator.rank() > 0) return;
    PointRunner runner(own, longest / 6, say_to_stderr(speaks));
    table = link_table(deck, runner);
  });
  return table;
}

/// Of builds whose kernels run on the host.
std::string link_note(const deck::Deck& deck) {
  const bool real = !backend::kernels_on_host || deck.choice<LinkKind>("link.kind") == LinkKind::real;
  return real ? "" : "note: the link is emulated, after the rates in the deck's section link\n";
}

/// What the command line says is to stay as the deck has it.
Scope scope_of(const deck::CommandLine& command, const deck::Deck& deck) {
  const std::vector<std::string> advised = advised_keys(deck);
  for (const std::string& key : command.kept) {
    const auto problem = deck.get<std::string>("problem");
    if (std::find(advised.begin(), advised.end(), key) == advised.end())
      throw UsageError(
          fmt::format("--keep {}: advice on problem {} does not choose that key{}", key, problem,
                      advised.empty() ? "" : " (nearest: " + deck::nearest(key, advised) + ")"),
          "nothing was measured",
          advised.empty() ? "leave --keep out" : fmt::format("keep any of {}", fmt::join(advised, ", ")));
    // Where advice cannot be asked for, "auto" is a value like any other.
    if (deck.schema().find(key)->may_be_auto && deck::is_automatic(deck.value(key)))
      throw UsageError(fmt::format("--keep {}: the deck says \"auto\", which is no value to keep", key),
                       "nothing was measured", fmt::format("give {} a value, or leave it to advise", key));
  }
  Scope scope = Scope::all_but(command.kept);
  if (!command.kept.empty() && open_keys(deck, scope).empty())
    throw UsageError(fmt::format("--keep of {}: nothing stays to be chosen for problem {}",
                                 fmt::join(command.kept, ", "), deck.get<std::string>("problem")),
                     "nothing was measured",
                     fmt::format("leave any of these out: {}", fmt::join(command.kept, ", ")));
  return scope;
}

void print_advice(const Advice& advice, const PointRunner& runner) {
  for (const report::Table& table : advice.tables) fmt::print("{}\n", to_text(table));
  for (const auto& [what, reason] : runner.missing()) fmt::print("not here: {}: {}\n", what, reason);
  if (runner.time_is_up()) fmt::print("note: the time was up before all was measured\n");
  fmt::print("advice: {}\n", advice.keys.empty() ? "this problem leaves nothing to choose" : advice.why);
}

}  // namespace

int run(const deck::CommandLine& command, const deck::Schema& schema,
        const comm::Communicator& communicator) {
  const bool first = communicator.rank() == 0, speaks = first && !command.quiet;
  std::optional<deck::Sweep> sweep;
  Scope scope = Scope::automatic();
  agree(communicator, [&] {
    sweep = command.deck.empty() ? deck::load_text(schema, "", "no deck", command.overrides)
                                 : deck::load(schema, command.deck, command.overrides);
    require_used_keys(*sweep);
    problems()
        .at(sweep->point(0).get<std::string>("problem"))
        .make()
        ->plan(without_auto(sweep->point(0)), communicator.size());
    scope = scope_of(command, sweep->point(0));
  });
  const deck::Deck deck = sweep->point(0);
  const std::filesystem::path folder = deck.get<std::string>("output.folder");
  agree(communicator, [&] {
    if (first) report::prepare_output_folder(folder);
  });
  if (speaks && sweep->size() > 1) fmt::print("of {} points the first\n\n", sweep->size());
  PointRunner runner(communicator, longest - 10, say_to_stderr(speaks));
  const auto link = measure_link(deck, communicator, speaks);
  if (speaks && link) fmt::print("{}{}\n", to_text(*link), link_note(deck));
  const Advice advice = advise(deck, scope, runner);
  if (speaks) print_advice(advice, runner);
  agree(communicator, [&] {
    if (!first) return;
    const auto path = folder / "advised.toml";
    report::write_whole_file(path, without_auto(deck).with(advice.keys).to_toml());
    if (speaks) fmt::print("deck: {}\n", path.string());
  });
  return 0;
}

}  // namespace haloheap::advise
