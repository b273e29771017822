// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/waves/standing_wave.hpp>

#include <cmath>
#include <numbers>

namespace haloheap {

StandingWave::StandingWave(const WaveSettings& settings, const std::vector<double>& weight)
    : stiffness_(-weight[0]) {
  const GridSize& size = settings.size;
  for (int dim = 0; dim < size.dims; ++dim) {
    const bool periodic = settings.low[static_cast<std::size_t>(dim)] == WaveSide::periodic;
    const double angle = (periodic ? 2 : 1) * std::numbers::pi * static_cast<double>(settings.mode[dim]) /
                         static_cast<double>(size.cells[dim]);
    auto& factor = factors_[static_cast<std::size_t>(dim)];
    for (grid::Index i = 0; i < size.cells[dim]; ++i) {
      const double x = static_cast<double>(i);
      factor.push_back(periodic ? std::cos(angle * x) : std::sin(angle * (x + 0.5)));
      if (dim == 0) factor.back() *= settings.amplitude;
    }
    for (std::size_t i = 1; i < weight.size(); ++i)
      stiffness_ -= 2 * weight[i] * std::cos(static_cast<double>(i) * angle);
  }
  if (size.dims == 2) factors_[2] = {1};
}

double StandingWave::shape(const grid::Triple& cell) const {
  double product = 1;
  for (int dim = 0; dim < 3; ++dim)
    product *= factors_[static_cast<std::size_t>(dim)][static_cast<std::size_t>(cell[dim])];
  return product;
}

double StandingWave::factor(double courant2, grid::Index steps) const {
  // 1 - cos(angle) = 2 sin(angle / 2)^2, of which small angles lose nothing; rounding may leave less than 0.
  const double half = std::asin(std::sqrt(std::max(0.0, courant2 * stiffness_)) / 2);
  return std::cos(2 * half * static_cast<double>(steps));
}

// What one step adds to an eigenmode is n sin(n angle) / sin(angle) <= n times as large n steps later: in the
// root of the sum of squares, which no cell exceeds, errors grow so, and those of all steps add up. Each step
// has a rounding for each number that is added or multiplied. The weights' sum is the stiffest eigenvalue,
// times (c dt / h)^2 at most 4.
double wave_rounding(const WaveSettings& settings, grid::Index steps, double unit) {
  double cells = 1;
  for (int dim = 0; dim < settings.size.dims; ++dim) cells *= static_cast<double>(settings.size.cells[dim]);
  const double n = static_cast<double>(steps);
  const double of_step = unit * (4 * (settings.order * settings.size.dims + 4) + 12);
  return std::sqrt(cells) * ((2 * n + 1) * unit + n * (n + 1) / 2 * of_step);
}

// Let k be (c dt / h)^2. The energy, see wave_energy.hpp, is at least half the sum of squared changes times
// 1 / k - stiffest / 4, and of a standing wave that turns around at most amplitude^2 times stiffest in a
// cell. What the source adds to a mode in a step changes it n steps later by cos((n - 1/2) angle) / cos(angle
// / 2) times as much, where k is the same everywhere; else that holds for sums that are weighted by 1 / k.
std::optional<double> bound_of_changes(const WaveSettings& settings, const std::vector<double>& wavelet) {
  const auto k = [&](double speed) { return std::pow(speed * settings.time_step / settings.spacing, 2); };
  const double fast = k(settings.speed.fastest()), slow = k(settings.speed.slowest());
  const double used = fast * stiffest(settings.order, settings.size.dims) / 4;  // 1: unstable beyond
  if (!(used < 1)) return std::nullopt;
  if (settings.start == WaveStart::mode)
    return 8 * settings.amplitude * settings.amplitude * used / (1 - used);
  double sum = 0;
  for (const double sample : wavelet) sum += std::abs(sample);
  return sum * sum * fast / slow / (1 - used);
}

}  // namespace haloheap
