// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/advise/grid_bench.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace haloheap::advise {

std::map<std::string, deck::Value> keys_of(const comm::HaloChoice& choice) {
  return {{"halo.depth", std::int64_t{choice.depth}},
          {"halo.transport", choice.transport},
          {"halo.exchange", name_of(choice.exchange)},
          {"halo.overlap", name_of(choice.overlap)},
          {"halo.graph", choice.graph},
          {"stencil.fused_steps", std::int64_t{choice.fused}}};
}

GridBench::GridBench(const deck::Deck& deck, PointRunner& runner)
    : TimedHaloBench(read_model(deck)->facts().stages, runner.halfway()),
      deck_(deck.with({{"run.measure", name_of(Measure::steps)}})),
      quick_(deck_.with({{"run.verify", false},
                         {"run.phases", false},
                         {"run.desynchronisation", false},
                         {"run.residual", false},
                         {"run.copy_baseline", false},
                         {"transfer.mode", std::string(no_transfer_mode)},
                         {"output.fields", false},
                         {"output.frames", std::int64_t{0}}})),
      runner_(runner) {}

bool GridBench::valid(const comm::HaloChoice& choice) const {
  try {
    read_grid(deck_.with(keys_of(choice)), runner_.ranks());
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::optional<double> GridBench::run(const comm::HaloChoice& choice, const Run& run, double until) {
  const std::string label =
      fmt::format("transport {}, exchange {}, overlap {}{}", choice.transport, name_of(choice.exchange),
                  name_of(choice.overlap), choice.graph ? ", graph" : "");
  auto keys = keys_of(choice);
  keys["run.measure"] = name_of(run.part == comm::Part::exchange ? Measure::exchange : Measure::steps);
  keys["grid.steps"] = std::int64_t{run.steps};
  keys["run.repetitions"] = std::int64_t{run.repetitions};
  keys["run.warmup"] = std::int64_t{run.warm_ups};
  const auto point = runner_.run(quick_.with(keys), label, until);
  if (!point) return std::nullopt;
  return point->number("wall_s.median");
}

comm::HaloShape shape_of(const deck::Deck& deck, int ranks) {
  const GridSettings settings = read_grid(deck, ranks);
  const GridModel& model = *settings.model;
  comm::Grid grid{settings.dims(), settings.cells(), {}};
  grid.topology.ranks = settings.ranks;
  std::copy_n(model.facts().periodic, 3, grid.topology.periodic);
  return comm::HaloShape::largest(grid, model.facts().radius,
                                  static_cast<double>(model.value_bytes()) * model.fields());
}

}  // namespace haloheap::advise
