// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/transport.hpp>
#include <haloheap/miniapp/advise/advice_parts.hpp>
#include <haloheap/miniapp/advise/heat_advice.hpp>
#include <haloheap/miniapp/advise/heat_bench.hpp>
#include <haloheap/miniapp/advise/transfer_advice.hpp>
#include <haloheap/miniapp/problems/transfer_schema.hpp>

#include <algorithm>

namespace haloheap::advise {
namespace {

using deck::Deck;
using report::Table;

constexpr double micro = 1e6;

std::string per_second(double cost, double unit) {
  return cost > 0 ? fmt::format("{:.2f}", 1 / cost / unit) : "-";
}

Table path_table(const HaloShape& shape, const HaloAdvice& advice) {
  Table table{{"transport", {}, false},  {"exchange", {}, false},    {"each [us]", {}, true},
              {"GB/s", {}, true},        {"residual [%]", {}, true}, {"steps [G/s]", {}, true},
              {"frames [G/s]", {}, true}};
  for (const HaloPath& path : advice.paths) {
    const auto keys = keys_of(HaloChoice{path.transport, path.exchange, Overlap::none, 1});
    const std::string cells[] = {path.transport,
                                 deck::to_string(keys.at("halo.exchange")),
                                 fmt::format("{:.2f}", micro * path.costs.exchange),
                                 per_second(path.costs.byte, 1e9),
                                 fmt::format("{:.1f}", 100 * path.residual),
                                 per_second(path.costs.step / shape.own_cells(), 1e9),
                                 per_second(path.costs.frame_cell, 1e9)};
    for (std::size_t i = 0; i < table.size(); ++i) table[i].cells.push_back(cells[i]);
  }
  return table;
}

std::vector<std::string> all_transports() {
  std::vector<std::string> names;
  for (const TransportInfo& info : transports())
    if (info.delivers) names.push_back(info.name);
  return names;
}

Exchange exchange_of(const std::string& name) {
  return name == "sync" ? Exchange::sync : Exchange::async;
}
Overlap overlap_of(const std::string& name) {
  if (name == "none") return Overlap::none;
  return name == "first_step" ? Overlap::first_step : Overlap::all_steps;
}

HaloOptions halo_options(const Deck& deck, Scope scope, int ranks) {
  HaloOptions options;
  // halo.transport = "auto" is a transport: it chooses for each neighbour by where that is.
  options.transports = scope == Scope::all && ranks > 1
                           ? all_transports()
                           : std::vector{deck.get<std::string>("halo.transport")};
  for (const auto& name : choices<std::string>(deck, scope, "halo.exchange", {"sync", "async"}))
    options.exchanges.push_back(exchange_of(name));
  for (const auto& name :
       choices<std::string>(deck, scope, "halo.overlap", {"none", "first_step", "all_steps"}))
    options.overlaps.push_back(overlap_of(name));
  for (const auto depth : choices<std::int64_t>(deck, scope, "halo.depth", {1, 2, 4, 8, 16, 32, 64}))
    options.depths.push_back(static_cast<int>(depth));
  return options;
}

/// Seconds of a step with so many to a pass, without overlap; nothing where the deck does not allow it or no
/// time is left. Where the depth is open as well, it is the least that holds the pass.
std::optional<double> fused_step_seconds(const Deck& deck, std::int64_t fused, PointRunner& runner) {
  const Deck some = without_auto(deck);
  const bool open = deck::is_automatic(deck.value("halo.depth"));
  const auto depth = open ? fused : some.get<std::int64_t>("halo.depth");
  HeatBench bench(some.with({{"stencil.fused_steps", fused}}), runner);
  const HaloChoice choice{some.get<std::string>("halo.transport"),
                          exchange_of(some.get<std::string>("halo.exchange")), Overlap::none,
                          static_cast<int>(depth)};
  if (fused > depth || !bench.valid(choice)) return std::nullopt;
  const std::optional<double> cycle = bench.cycle(choice);
  return cycle ? std::optional(*cycle / static_cast<double>(depth)) : std::nullopt;
}

/// A run of each number: what a kernel reaches depends on what it keeps in registers and caches.
Advice advise_fused_steps(const Deck& deck, PointRunner& runner) {
  Table table{{"fused steps", {}, true}, {"step [us]", {}, true}};
  std::optional<double> least;
  Advice advice;
  if (deck.get<bool>("run.residual")) {
    advice.keys["stencil.fused_steps"] = std::int64_t{1};
    advice.why = in_words(advice.keys) + ": run.residual needs every step";
    return advice;
  }
  for (const std::int64_t fused : {1, 2, 3, 4, 6, 8}) {
    const std::optional<double> seconds = fused_step_seconds(deck, fused, runner);
    if (!seconds) continue;
    table[0].cells.push_back(fmt::format("{}", fused));
    table[1].cells.push_back(fmt::format("{:.3f}", micro * *seconds));
    if (least && *least <= *seconds) continue;
    least = seconds;
    advice.keys["stencil.fused_steps"] = fused;
  }
  if (!least) nothing_measured(runner);
  advice.why = fmt::format("{}: measured, {:.3f} us a step", in_words(advice.keys), micro * *least);
  advice.tables = {table};
  return advice;
}

/// The deck's fields alone: they travel, and make no step.
Deck fields_alone(const Deck& deck) {
  return deck.with({{"grid.steps", std::int64_t{0}},
                    {"halo.depth", std::int64_t{1}},
                    {"stencil.fused_steps", std::int64_t{1}},
                    {"halo.overlap", std::string("none")},
                    {"halo.graph", false},
                    {"run.measure", std::string("steps")},
                    {"run.residual", false},
                    {"run.verify", false},
                    {"run.copy_baseline", false},
                    {"output.fields", false}});
}

bool any_open(const Deck& deck, Scope scope, const std::vector<const char*>& keys) {
  return scope == Scope::all || std::any_of(keys.begin(), keys.end(), [&](const char* key) {
           return deck::is_automatic(deck.value(key));
         });
}

Advice advise_halos(const Deck& deck, Scope scope, PointRunner& runner) {
  const HaloShape shape = shape_of(without_auto(deck), runner.ranks());
  HeatBench bench(without_auto(deck), runner);
  HaloOptions options = halo_options(deck, scope, runner.ranks());
  options.allowed = [&](const HaloChoice& choice) { return bench.valid(choice); };
  const HaloAdvice found = advise_halo(shape, options, bench);
  if (found.candidates.empty()) nothing_measured(runner);
  const HaloCandidate& best = found.candidates.front();
  Advice advice;
  for (const auto& [key, value] : keys_of(best.choice))
    if (scope == Scope::all || deck::is_automatic(deck.value(key))) advice.keys[key] = value;
  if (scope == Scope::automatic) advice.keys.erase("halo.transport");
  advice.why = in_words(advice.keys) + ": " + reason(best, "a step", found.residual(best.choice));
  advice.tables = {path_table(shape, found),
                   candidate_table(
                       found.candidates, [](const HaloChoice& choice) { return keys_of(choice); }, "step")};
  return advice;
}

void append(Advice& advice, const Advice& more) {
  if (more.keys.empty()) return;
  advice.keys.insert(more.keys.begin(), more.keys.end());
  advice.why += (advice.why.empty() ? "" : "; ") + more.why;
  advice.tables.insert(advice.tables.end(), more.tables.begin(), more.tables.end());
}

}  // namespace

Advice advise_heat(const Deck& deck, Scope scope, PointRunner& runner) {
  Advice advice, fused;
  if (any_open(deck, scope, {"stencil.fused_steps"})) fused = advise_fused_steps(deck, runner);
  if (any_open(deck, scope, {"halo.depth", "halo.exchange", "halo.overlap"}))
    advice = advise_halos(deck.with(fused.keys), scope, runner);
  append(advice, fused);
  // Fields that are made on the device do not travel.
  if (deck.get<std::string>("transfer.mode") == no_transfer_mode ||
      !any_open(deck, scope, {"transfer.mode", "transfer.schedule", "transfer.streams"}))
    return advice;
  append(advice, advise_transfers(fields_alone(deck), scope, runner));
  return advice;
}

}  // namespace haloheap::advise
