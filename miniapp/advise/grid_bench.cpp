// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/advise/grid_bench.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace haloheap::advise {
namespace {

constexpr int max_cycles = 4000;
constexpr double long_enough = 10e-3;  // seconds of a run: a hundred times what a clock and a start may cost
constexpr double too_long = 2;         // seconds of all runs of a measurement

}  // namespace

std::map<std::string, deck::Value> keys_of(const HaloChoice& choice) {
  return {{"halo.depth", std::int64_t{choice.depth}},
          {"halo.transport", choice.transport},
          {"halo.exchange", name_of(choice.exchange)},
          {"halo.overlap", name_of(choice.overlap)},
          {"halo.graph", choice.graph},
          {"stencil.fused_steps", std::int64_t{choice.fused}}};
}

GridBench::GridBench(const deck::Deck& deck, PointRunner& runner)
    : deck_(deck.with({{"run.measure", name_of(Measure::steps)}})),
      quick_(deck_.with({{"run.verify", false},
                         {"run.phases", false},
                         {"run.desynchronisation", false},
                         {"run.residual", false},
                         {"run.copy_baseline", false},
                         {"transfer.mode", std::string(no_transfer_mode)},
                         {"output.fields", false},
                         {"output.frames", std::int64_t{0}}})),
      runner_(runner),
      stages_(read_model(deck)->facts().stages),
      exchanges_until_(runner.halfway()) {}

bool GridBench::valid(const HaloChoice& choice) const {
  try {
    read_grid(deck_.with(keys_of(choice)), runner_.ranks());
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// How to measure a cycle that takes so many seconds, or 0 if that is not known: then once, to know it. A
/// graph holds pairs of cycles, and is recorded when it first runs; a cycle may end between two stages of a
/// step.
GridBench::Length GridBench::length_of(double cycle, const HaloChoice& choice) const {
  const bool graph = choice.graph;
  const int minimum = std::lcm(graph ? 2 : 1, stages_ / std::gcd(stages_, choice.depth));
  if (!(cycle > 0)) return {std::max(2 * minimum / std::gcd(2, minimum), 2), 1, graph ? 1 : 0};
  const double wanted = std::ceil(1.2 * long_enough / cycle / minimum) * minimum;
  const Length full{static_cast<int>(std::clamp<double>(wanted, minimum, max_cycles)), 3, 1};
  if (cycle * full.cycles * (full.repetitions + full.warm_ups) <= too_long) return full;
  return {minimum, 1, graph ? 1 : 0};
}

/// Where the time is up before there is a run to rely on, what a short one said is better than nothing.
/// @param known seconds of a unit, of which a cycle has `unit`: the quickest so far
/// @param until when no run is started any more, see PointRunner::run
std::optional<double> GridBench::measure(const HaloChoice& choice, Measure what, double& known, double unit,
                                         double until) {
  const std::string label =
      fmt::format("transport {}, exchange {}, overlap {}{}", choice.transport, name_of(choice.exchange),
                  name_of(choice.overlap), choice.graph ? ", graph" : "");
  auto keys = keys_of(choice);
  keys["run.measure"] = name_of(what);
  std::optional<double> rough;
  for (;;) {
    const bool first = !(known > 0);
    const Length length = length_of(known * unit, choice);
    if (known * unit * length.cycles * (length.repetitions + length.warm_ups) > 2 * too_long)
      return rough;  // the time is better spent
    keys["grid.steps"] = std::int64_t{length.cycles} * choice.depth / stages_;
    keys["run.repetitions"] = std::int64_t{length.repetitions};
    keys["run.warmup"] = std::int64_t{length.warm_ups};
    const auto point = runner_.run(quick_.with(keys), label, until);
    if (!point) return rough;
    const double seconds = point->number("wall_s.median").value();
    if (!(seconds > 0)) return rough;
    rough = seconds / length.cycles;
    const double each = *rough / unit;
    known = first ? each : std::min(known, each);
    if (until == PointRunner::always) until = PointRunner::no_limit;
    const bool reliable = length.repetitions > 1 || known * unit * length.cycles > too_long / 4;
    if (reliable && (seconds >= long_enough / 2 || length.cycles >= max_cycles)) return rough;
  }
}

/// Exchanges alone say nothing of steps: half of the time is left for these.
std::optional<double> GridBench::exchange(const HaloChoice& choice) {
  const bool first = std::none_of(exchange_seconds_.begin(), exchange_seconds_.end(),
                                  [](const auto& path) { return path.second > 0; });
  const std::string path = choice.transport + name_of(choice.exchange);
  return measure(choice, Measure::exchange, exchange_seconds_[path], 1,
                 first ? PointRunner::always : exchanges_until_);
}

std::optional<double> GridBench::cycle(const HaloChoice& choice) {
  return measure(choice, Measure::steps, step_seconds_, choice.depth,
                 step_seconds_ > 0 ? PointRunner::no_limit : PointRunner::always);
}

comm::HaloShape shape_of(const deck::Deck& deck, int ranks) {
  const GridSettings settings = read_grid(deck, ranks);
  const GridModel& model = *settings.model;
  comm::HaloShape shape;
  for (int i = 0; i < settings.dims(); ++i) {
    const grid::Index cells = settings.cells()[i], parts = settings.ranks[i];
    shape.cells[i] = std::ceil(static_cast<double>(cells) / static_cast<double>(parts));
    shape.sides[i] = model.facts().periodic[i] ? 2 : static_cast<int>(std::min<grid::Index>(2, parts - 1));
  }
  shape.radius = model.facts().radius;
  shape.cell_bytes = static_cast<double>(model.value_bytes()) * model.fields();
  return shape;
}

}  // namespace haloheap::advise
