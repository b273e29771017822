// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/advise/heat_bench.hpp>
#include <haloheap/miniapp/problems/heat_settings.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace haloheap::advise {
namespace {

constexpr int first_cycles = 4, most_cycles = 4000;
constexpr double long_enough = 10e-3;  // seconds of a run: a hundred times what a clock and a start may cost

std::string name_of(Exchange exchange) {
  return exchange == Exchange::sync ? "sync" : "async";
}

std::string name_of(Overlap overlap) {
  if (overlap == Overlap::none) return "none";
  return overlap == Overlap::first_step ? "first_step" : "all_steps";
}

int dims_of(const deck::Deck& deck) {
  return deck.get<std::string>("problem") == "heat3d" ? 3 : 2;
}

}  // namespace

std::map<std::string, deck::Value> keys_of(const HaloChoice& choice) {
  return {{"halo.depth", std::int64_t{choice.depth}},
          {"halo.transport", choice.transport},
          {"halo.exchange", name_of(choice.exchange)},
          {"halo.overlap", name_of(choice.overlap)}};
}

HeatBench::HeatBench(const deck::Deck& deck, PointRunner& runner)
    : deck_(deck.with({{"run.repetitions", std::int64_t{3}},
                       {"run.warmup", std::int64_t{1}},
                       {"run.verify", false},
                       {"run.phases", false},
                       {"run.desynchronisation", false},
                       {"run.residual", false},
                       {"run.copy_baseline", false},
                       {"transfer.mode", std::string("none")},
                       {"output.fields", false}})),
      runner_(runner) {}

deck::Deck HeatBench::deck_of(const HaloChoice& choice, const char* what, int cycles) const {
  auto keys = keys_of(choice);
  keys["run.measure"] = std::string(what);
  keys["grid.steps"] = std::int64_t{cycles} * choice.depth;
  return deck_.with(keys);
}

bool HeatBench::valid(const HaloChoice& choice) {
  return runner_.valid(deck_of(choice, "steps", first_cycles));
}

std::optional<double> HeatBench::measure(const HaloChoice& choice, const char* what) {
  const std::string label = fmt::format("transport {}, exchange {}, overlap {}", choice.transport,
                                        name_of(choice.exchange), name_of(choice.overlap));
  for (int cycles = first_cycles;;) {
    const auto point = runner_.run(deck_of(choice, what, cycles), label);
    if (!point) return std::nullopt;
    const double seconds = point->wall.median;
    if (seconds >= long_enough || cycles >= most_cycles) return seconds / cycles;
    cycles = std::min(most_cycles,
                      static_cast<int>(std::ceil(1.5 * cycles * long_enough / std::max(seconds, 1e-6))));
  }
}

std::optional<double> HeatBench::exchange(const HaloChoice& choice) {
  return measure(choice, "exchange");
}

std::optional<double> HeatBench::cycle(const HaloChoice& choice) {
  return measure(choice, "steps");
}

HaloShape shape_of(const deck::Deck& deck, int ranks) {
  const HeatSettings heat = read_heat(deck, dims_of(deck), ranks);
  HaloShape shape;
  const Index cells[] = {heat.cells.x, heat.cells.y, heat.cells.z};
  const Index parts[] = {heat.ranks.x, heat.ranks.y, heat.ranks.z};
  for (int i = 0; i < heat.dims; ++i) {
    shape.cells[i] = std::ceil(static_cast<double>(cells[i]) / static_cast<double>(parts[i]));
    shape.sides[i] = heat.boundary.periodic(i) ? 2 : static_cast<int>(std::min<Index>(2, parts[i] - 1));
  }
  shape.radius = heat.stencil.radius;
  shape.cell_bytes = static_cast<double>(heat.value_bytes()) * heat.quantities;
  return shape;
}

}  // namespace haloheap::advise
