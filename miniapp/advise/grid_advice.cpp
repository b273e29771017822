// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/route.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/miniapp/advise/advice_parts.hpp>
#include <haloheap/miniapp/advise/grid_advice.hpp>
#include <haloheap/miniapp/advise/grid_bench.hpp>
#include <haloheap/miniapp/advise/transfer_advice.hpp>
#include <haloheap/miniapp/problems/grids/grid_rules.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_settings.hpp>

#include <algorithm>
#include <set>

namespace haloheap::advise {
namespace {

using deck::Deck;
using report::Table;

constexpr double micro = 1e6;
constexpr double share_of_halos = 0.6;  // of the time, where the field's ways are to be chosen as well

std::string per_second(double cost, double unit) {
  return cost > 0 ? fmt::format("{:.2f}", 1 / cost / unit) : "-";
}

void add_row(Table& table, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < table.size(); ++i) table[i].cells.push_back(cells.at(i));
}

Table path_table(const comm::HaloAdvice& advice) {
  Table table{{"transport", {}, false},
              {"exchange", {}, false},
              {"each [us]", {}, true},
              {"GB/s", {}, true},
              {"residual [%]", {}, true}};
  for (const comm::MeasuredPath& path : advice.paths) {
    const auto keys = keys_of(comm::HaloChoice{path.transport, path.exchange});
    add_row(table, {path.transport, deck::to_string(keys.at("halo.exchange")),
                    fmt::format("{:.2f}", micro * path.costs.exchange), per_second(path.costs.byte, 1e9),
                    fmt::format("{:.1f}", 100 * path.residual)});
  }
  return table;
}

/// The same for all transports.
Table pass_table(const comm::HaloShape& shape, const comm::HaloAdvice& advice) {
  Table table{{"steps a pass", {}, true},
              {"pass [us]", {}, true},
              {"steps [G/s]", {}, true},
              {"frames [G/s]", {}, true}};
  for (const auto& [steps, cost] : advice.paths.front().costs.passes.known())
    add_row(table, {fmt::format("{}", steps), fmt::format("{:.2f}", micro * cost.own),
                    per_second(cost.own / steps / shape.own_cells(), 1e9),
                    per_second(cost.frame_cell / steps, 1e9)});
  return table;
}

/// With one rank all transports are the same, but not all of them can be recorded in a graph.
std::vector<std::string> open_transports(const Deck& deck, PointRunner& runner) {
  const auto named = deck.get<std::string>("halo.transport");
  if (runner.ranks() == 1) {
    const std::string recordable = comm::candidates("auto", "persistent").front()->name;
    return recordable == named ? std::vector{named} : std::vector{named, recordable};
  }
  std::vector<std::string> names =
      comm::transports().names([](const comm::TransportInfo& info) { return info.delivers; });
  // It chooses for each neighbour by where that is, which on one node is always the same.
  if (runner.nodes(deck.number("halo.ranks_per_node")) > 1) names.emplace_back("auto");
  return names;
}

std::vector<comm::Overlap> overlaps(const Deck& deck, const Scope& scope) {
  const auto measure = deck.choice<Measure>("run.measure");
  std::vector<comm::Overlap> result;
  for (const auto& name : choices<std::string>(deck, scope, "halo.overlap", all_names<comm::Overlap>())) {
    const auto overlap = from_name<comm::Overlap>(name);
    if (can_measure(measure, overlap)) result.push_back(overlap);
  }
  return result;
}

/// No deeper than there are steps, or stages of them.
std::vector<int> depths(const Deck& deck, const Scope& scope) {
  const auto steps = deck.get<std::int64_t>("grid.steps") * read_model(deck)->facts().stages;
  std::vector<int> result;
  for (const auto depth :
       choices<std::int64_t>(deck, scope, "halo.depth", {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64}))
    if (result.empty() || depth <= steps) result.push_back(static_cast<int>(depth));
  return result;
}

/// With a depth that is kept, its single pass is one of them; rules of decks refuse what has no kernel.
std::vector<int> fused_steps(const Deck& deck, const Scope& scope) {
  std::set<std::int64_t> all{1, 2, 3, 4, 6, 8};
  if (!scope.open(deck, "halo.depth")) all.insert(deck.get<std::int64_t>("halo.depth"));
  const auto chosen = choices<std::int64_t>(deck, scope, "stencil.fused_steps", {all.begin(), all.end()});
  return {chosen.begin(), chosen.end()};
}

/// The deck's fields alone: they are copied, and make no step.
Deck fields_alone(const Deck& deck) {
  return deck.with({{"grid.steps", std::int64_t{0}},
                    {"halo.depth", std::int64_t{1}},
                    {"stencil.fused_steps", std::int64_t{1}},
                    {"halo.overlap", name_of(comm::Overlap::none)},
                    {"halo.graph", false},
                    {"run.measure", name_of(Measure::steps)},
                    {"run.residual", false},
                    {"run.verify", false},
                    {"run.copy_baseline", false},
                    {"output.fields", false},
                    {"output.frames", std::int64_t{0}}});
}

bool any_of_group(const char* group, const std::vector<std::string>& keys) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return key.starts_with(group); });
}

std::size_t measured(const comm::HaloAdvice& advice) {
  return static_cast<std::size_t>(
      std::count_if(advice.candidates.begin(), advice.candidates.end(),
                    [](const comm::HaloCandidate& candidate) { return candidate.measured.has_value(); }));
}

Advice advise_halos(const Deck& deck, const Scope& scope, PointRunner& runner) {
  const Deck simplest = without_auto(deck);
  const comm::HaloShape shape = shape_of(simplest, runner.ranks());
  GridBench bench(simplest, runner);
  comm::HaloOptions options = halo_options(deck, scope, runner);
  options.allowed = [&](const comm::HaloChoice& choice) { return bench.valid(choice); };
  const comm::HaloAdvice found = comm::advise_halo(shape, options, bench);
  if (found.candidates.empty()) nothing_measured(runner);
  const comm::HaloCandidate& best = found.candidates.front();
  Advice advice;
  for (const auto& [key, value] : keys_of(best.choice))
    if (scope.open(deck, key)) advice.keys[key] = value;
  if (scope.is_automatic()) advice.keys.erase("halo.transport");
  advice.why = in_words(advice.keys) + ": " + reason(best, "a step", found.residual(best.choice));
  const auto keys = [](const comm::HaloChoice& choice) { return keys_of(choice); };
  advice.tables = {path_table(found), pass_table(shape, found),
                   candidate_table(found.candidates, keys, "step", measured(found))};
  return advice;
}

/// What the deck needs is chosen before anything is measured.
Advice needed(const Deck& deck, const Scope& scope) {
  Advice advice;
  if (!scope.open(deck, "stencil.fused_steps") || !deck.get<bool>("run.residual")) return advice;
  if (deck.get<std::int64_t>("run.residual_interval") > 1) return advice;
  advice.keys["stencil.fused_steps"] = std::int64_t{1};
  advice.why = in_words(advice.keys) + ": run.residual needs every step";
  return advice;
}

void append(Advice& advice, const Advice& more) {
  if (more.keys.empty()) return;
  advice.keys.insert(more.keys.begin(), more.keys.end());
  advice.why += (advice.why.empty() ? "" : "; ") + more.why;
  advice.tables.insert(advice.tables.end(), more.tables.begin(), more.tables.end());
}

}  // namespace

comm::HaloOptions halo_options(const Deck& deck, const Scope& scope, PointRunner& runner) {
  comm::HaloOptions options;
  // In a run, halo.transport = "auto" is a transport.
  options.transports = !scope.is_automatic() && scope.open(deck, "halo.transport")
                           ? open_transports(deck, runner)
                           : std::vector{deck.get<std::string>("halo.transport")};
  for (const auto& name : choices<std::string>(deck, scope, "halo.exchange", all_names<comm::Exchange>()))
    options.exchanges.push_back(from_name<comm::Exchange>(name));
  options.overlaps = overlaps(deck, scope);
  options.depths = depths(deck, scope);
  options.fused = fused_steps(deck, scope);
  options.graphs.clear();
  for (const bool graph : choices<bool>(deck, scope, "halo.graph", {false, true}))
    options.graphs.push_back(graph);
  return options;
}

Advice advise_grid(const Deck& deck, const Scope& scope, PointRunner& runner) {
  const bool copied = any_of_group("transfer.", open_keys(deck, scope));
  const Advice needs = needed(deck, scope);
  // A key that is chosen is open neither to "auto" nor to advise.
  const Deck with_needs = deck.with(needs.keys);
  const Scope rest = needs.keys.empty() ? scope : scope.without("stencil.fused_steps");
  const std::vector<std::string> open = open_keys(with_needs, rest);
  Advice advice;
  if (any_of_group("halo.", open) || any_of_group("stencil.", open)) {
    if (copied) runner.use(share_of_halos);
    advice = advise_halos(with_needs, rest, runner);
    runner.use(1);
  }
  append(advice, needs);
  if (copied) append(advice, advise_transfers(fields_alone(deck), scope, runner));
  return advice;
}

bool grid_uses(const Deck& deck, const std::string& key) {
  return !key.starts_with("transfer.") || deck.get<std::string>("transfer.mode") != no_transfer_mode;
}

}  // namespace haloheap::advise
