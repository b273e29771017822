// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo_model.hpp>
#include <haloheap/core/base/least_squares.hpp>

#include <algorithm>
#include <limits>

namespace haloheap {
namespace {

double product(const HaloShape& shape, double wider) {
  double cells = 1;
  for (int i = 0; i < 3; ++i) cells *= std::max(0.0, shape.cells[i] + shape.sides[i] * wider);
  return cells;
}

double frame_updates(const HaloShape& shape, int depth) {
  return shape.updates(depth) - depth * shape.own_cells();
}

double exchange_seconds(const HaloShape& shape, const HaloCosts& costs, int depth) {
  return costs.exchange + costs.byte * shape.halo_bytes(depth);
}

/// What an overlap saves: the shorter of what runs at the same time.
double saved(const HaloShape& shape, const HaloCosts& costs, int depth, Overlap overlap) {
  const double interior = costs.step * shape.hidden_updates(depth, overlap) / shape.own_cells();
  return std::min(costs.hideable * exchange_seconds(shape, costs, depth), interior);
}

int split_steps(int depth, Overlap overlap) {
  if (overlap == Overlap::none) return 0;
  return overlap == Overlap::first_step ? 1 : depth;
}

}  // namespace

HaloShape HaloShape::inner(double x, double y, double z, int dims, int radius, double cell_bytes) {
  HaloShape shape{{x, y, z}, {2, 2, 2}, radius, cell_bytes};
  for (int i = dims; i < 3; ++i) shape.sides[i] = 0;
  return shape;
}

double HaloShape::updates(int depth) const {
  double sum = 0;
  for (int k = 1; k <= depth; ++k) sum += product(*this, static_cast<double>(radius) * (depth - k));
  return sum;
}

double HaloShape::hidden_updates(int depth, Overlap overlap) const {
  double sum = 0;
  const int steps = split_steps(depth, overlap);
  for (int k = 1; k <= steps; ++k) sum += product(*this, -static_cast<double>(radius) * k);
  return sum;
}

double HaloShape::halo_bytes(int depth) const {
  return cell_bytes * (product(*this, static_cast<double>(radius) * depth) - own_cells());
}

double cycle_seconds(const HaloShape& shape, const HaloCosts& costs, int depth, Overlap overlap) {
  const double serial = exchange_seconds(shape, costs, depth) + costs.step * depth +
                        costs.frame_cell * frame_updates(shape, depth);
  if (overlap == Overlap::none) return serial;
  return serial - saved(shape, costs, depth, overlap) + costs.split * split_steps(depth, overlap);
}

double fit_exchanges(const HaloShape& shape, const SecondsOfDepth& exchanges, HaloCosts& costs) {
  std::vector<Observation> observations;
  for (const auto& [depth, seconds] : exchanges)
    observations.push_back({{1.0, shape.halo_bytes(depth)}, seconds});
  const LinearFit fit = fit_costs(observations);
  costs.exchange = fit.coefficients.at(0);
  costs.byte = fit.coefficients.at(1);
  return fit.residual;
}

double fit_steps(const HaloShape& shape, const SecondsOfDepth& cycles_without_exchange, HaloCosts& costs) {
  std::vector<Observation> observations;
  for (const auto& [depth, seconds] : cycles_without_exchange)
    observations.push_back({{static_cast<double>(depth), frame_updates(shape, depth)}, seconds});
  const LinearFit fit = fit_costs(observations);
  costs.step = fit.coefficients.at(0);
  costs.frame_cell = fit.coefficients.at(1);
  return fit.residual;
}

double fit_overlap(const HaloShape& shape, const SecondsOfDepth& cycles, Overlap overlap, HaloCosts& costs) {
  constexpr int parts = 100;  // the share is not a factor of a sum: all percents are tried
  HaloCosts best = costs;
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= parts; ++i) {
    HaloCosts tried = costs;
    tried.hideable = static_cast<double>(i) / parts;
    tried.split = 0;
    std::vector<Observation> observations;
    for (const auto& [depth, seconds] : cycles)
      observations.push_back({{static_cast<double>(split_steps(depth, overlap))},
                              seconds - cycle_seconds(shape, tried, depth, overlap),
                              seconds});
    const LinearFit fit = fit_costs(observations);
    if (fit.residual >= least) continue;
    least = fit.residual;
    best = tried;
    best.split = fit.coefficients.empty() ? 0 : fit.coefficients.front();
  }
  costs = best;
  return least;
}

}  // namespace haloheap
