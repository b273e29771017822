// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/cycle_passes.hpp>
#include <haloheap/comm/halo/halo_model.hpp>
#include <haloheap/core/base/least_squares.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace haloheap::comm {
namespace {

double exchange_seconds(const HaloShape& shape, const HaloCosts& costs, int depth) {
  return costs.exchange + costs.byte * shape.halo_bytes(depth);
}

/// Of an overlap, the cells of a pass in its two parts.
struct Parts {
  double interior = 0, frame = 0;
};

/// The frame of each pass is as wide as if all passes were as long as the first, which is the longest.
Parts parts_of(const HaloShape& shape, const HaloCycle& cycle, int number) {
  const int deep = number * detail::pass_of(1, cycle.depth, cycle.fused).steps();
  const double interior = shape.box_cells(-deep);
  const int left = cycle.depth - detail::pass_of(number, cycle.depth, cycle.fused).after;
  return {interior, shape.box_cells(left) - interior};
}

int split_passes(const HaloCycle& cycle) {
  if (cycle.overlap == Overlap::none) return 0;
  return cycle.overlap == Overlap::first_step ? 1 : detail::pass_count(cycle.depth, cycle.fused);
}

/// Seconds that the parts of all split passes would take, each cell as one of a whole pass.
Parts split_seconds(const HaloShape& shape, const HaloCosts& costs, const HaloCycle& cycle) {
  Parts seconds;
  for (int number = 1; number <= split_passes(cycle); ++number) {
    const double cell =
        costs.passes.of(detail::pass_of(number, cycle.depth, cycle.fused).steps()).own / shape.own_cells();
    const Parts cells = parts_of(shape, cycle, number);
    seconds.interior += cell * cells.interior;
    seconds.frame += cell * cells.frame;
  }
  return seconds;
}

double passes_seconds(const HaloShape& shape, const HaloCosts& costs, const HaloCycle& cycle) {
  double seconds = 0;
  for (int number = 1; number <= detail::pass_count(cycle.depth, cycle.fused); ++number) {
    const detail::Pass pass = detail::pass_of(number, cycle.depth, cycle.fused);
    const PassCost cost = costs.passes.of(pass.steps());
    seconds += cost.own + cost.frame_cell * (shape.box_cells(cycle.depth - pass.after) - shape.own_cells());
  }
  return seconds;
}

/// No cost of its own is known to a graph that does not save less than all.
double recorded(const HaloCosts& costs, const HaloCycle& cycle, double seconds) {
  if (!cycle.graph) return seconds;
  const double saved =
      costs.recorded_exchange + costs.recorded_pass * detail::pass_count(cycle.depth, cycle.fused);
  return std::max(seconds - saved, 0.05 * seconds);
}

/// The cells that a pass writes beyond the own ones, of all passes of a cycle.
double frame_cells(const HaloShape& shape, const HaloCycle& cycle) {
  double cells = 0;
  for (int number = 1; number <= detail::pass_count(cycle.depth, cycle.fused); ++number)
    cells += shape.box_cells(cycle.depth - detail::pass_of(number, cycle.depth, cycle.fused).after) -
             shape.own_cells();
  return cells;
}

}  // namespace

HaloShape HaloShape::largest(const Grid& grid, int radius, double cell_bytes) {
  HaloShape shape;
  for (int dim = 0; dim < grid.dims; ++dim) {
    const grid::Index cells = grid.cells[dim], parts = grid.topology.ranks[dim];
    shape.cells[dim] = std::ceil(static_cast<double>(cells) / static_cast<double>(parts));
    shape.sides[dim] =
        grid.topology.periodic[dim] ? 2 : static_cast<int>(std::min<grid::Index>(2, parts - 1));
  }
  shape.radius = radius;
  shape.cell_bytes = cell_bytes;
  return shape;
}

HaloShape HaloShape::inner(double x, double y, double z, int dims, int radius, double cell_bytes) {
  HaloShape shape{{x, y, z}, {2, 2, 2}, radius, cell_bytes};
  for (int i = dims; i < 3; ++i) shape.sides[i] = 0;
  return shape;
}

double HaloShape::box_cells(int steps) const {
  double product = 1;
  for (int i = 0; i < 3; ++i)
    product *= std::max(0.0, cells[i] + sides[i] * static_cast<double>(radius) * steps);
  return product;
}

double HaloShape::halo_bytes(int depth) const {
  return cell_bytes * (box_cells(depth) - own_cells());
}

PassCost PassCosts::of(int steps) const {
  if (known_.empty()) return {};
  const auto above = known_.lower_bound(steps);
  if (above != known_.end() && above->first == steps) return above->second;
  const auto weighed = [](const PassCost& a, double x, const PassCost& b, double y) {
    return PassCost{x * a.own + y * b.own, x * a.frame_cell + y * b.frame_cell};
  };
  if (above == known_.begin() || above == known_.end()) {
    const auto& [nearest, cost] = above == known_.end() ? *std::prev(above) : *above;
    return weighed(cost, static_cast<double>(steps) / nearest, {}, 0);
  }
  const auto below = std::prev(above);
  const double share = static_cast<double>(steps - below->first) / (above->first - below->first);
  return weighed(below->second, 1 - share, above->second, share);
}

double cycle_seconds(const HaloShape& shape, const HaloCosts& costs, const HaloCycle& cycle) {
  const double exchange = exchange_seconds(shape, costs, cycle.depth);
  const double serial = exchange + passes_seconds(shape, costs, cycle);
  if (cycle.overlap == Overlap::none) return recorded(costs, cycle, serial);
  const Parts parts = split_seconds(shape, costs, cycle);
  // What an overlap saves is the shorter of what runs at the same time.
  const double saved = std::min(costs.hideable * exchange, parts.interior);
  return recorded(costs, cycle,
                  serial - saved + costs.split * split_passes(cycle) + costs.thin * parts.frame);
}

double fit_exchanges(const HaloShape& shape, const SecondsOfDepth& exchanges, HaloCosts& costs) {
  std::vector<base::Observation> observations;
  for (const auto& [depth, seconds] : exchanges)
    observations.push_back({{1.0, shape.halo_bytes(depth)}, seconds});
  const base::LinearFit fit = base::fit_costs(observations);
  costs.exchange = fit.coefficients.at(0);
  costs.byte = fit.coefficients.at(1);
  return fit.residual;
}

double fit_passes(const HaloShape& shape, const MeasuredCycles& cycles, HaloCosts& costs) {
  std::map<int, std::vector<base::Observation>> observations;
  for (const auto& [cycle, seconds] : cycles) {
    const double exchange = exchange_seconds(shape, costs, cycle.depth);
    const double left = std::max(seconds - exchange, 0.01 * seconds);  // clocks are not exact
    observations[detail::pass_of(1, cycle.depth, cycle.fused).steps()].push_back(
        {{static_cast<double>(detail::pass_count(cycle.depth, cycle.fused)), frame_cells(shape, cycle)},
         left,
         seconds});
  }
  double residual = 0;
  for (const auto& [steps, observed] : observations) {
    const base::LinearFit fit = base::fit_costs(observed);
    costs.passes.set(steps, {fit.coefficients.at(0), fit.coefficients.at(1)});
    residual = std::max(residual, fit.residual);
  }
  return residual;
}

double fit_overlap(const HaloShape& shape, const MeasuredCycles& cycles, HaloCosts& costs) {
  constexpr int parts = 100;  // the share is not a factor of a sum: all percents are tried
  HaloCosts best = costs;
  double minimum = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= parts; ++i) {
    HaloCosts tried = costs;
    tried.hideable = static_cast<double>(i) / parts;
    tried.split = tried.thin = 0;
    std::vector<base::Observation> observations;
    for (const auto& [cycle, seconds] : cycles)
      observations.push_back(
          {{static_cast<double>(split_passes(cycle)), split_seconds(shape, costs, cycle).frame},
           seconds - cycle_seconds(shape, tried, cycle),
           seconds});
    const base::LinearFit fit = base::fit_costs(observations);
    if (fit.residual >= minimum) continue;
    minimum = fit.residual;
    best = tried;
    if (fit.coefficients.empty()) continue;
    best.split = fit.coefficients.at(0);
    best.thin = fit.coefficients.at(1);
  }
  costs = best;
  return minimum;
}

double fit_graph(const HaloShape& shape, const MeasuredCycles& cycles, HaloCosts& costs) {
  std::vector<base::Observation> observations;
  for (const auto& [cycle, seconds] : cycles) {
    HaloCycle enqueued = cycle;
    enqueued.graph = false;
    const double saved = cycle_seconds(shape, costs, enqueued) - seconds;
    observations.push_back(
        {{1.0, static_cast<double>(detail::pass_count(cycle.depth, cycle.fused))}, saved, seconds});
  }
  const base::LinearFit fit = base::fit_costs(observations);
  if (fit.coefficients.empty()) return 0;
  costs.recorded_exchange = fit.coefficients.at(0);
  costs.recorded_pass = fit.coefficients.at(1);
  return fit.residual;
}

}  // namespace haloheap::comm
