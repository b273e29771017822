// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_WAVES_STANDING_WAVE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_WAVES_STANDING_WAVE_HPP

#include <haloheap/miniapp/problems/waves/wave_settings.hpp>

#include <array>
#include <optional>
#include <vector>

namespace haloheap {

/// An eigenmode of the discrete Laplacian: sines between sides, cosines where the grid wraps around. Leapfrog
/// steps in a uniform medium multiply it by cos(n angle), where 2 - 2 cos(angle) = (c dt / h)^2 times the
/// negative eigenvalue: the discrete dispersion relation ([Alford1974]).
class StandingWave {
 public:
  /// @param weight of the Laplacian by distance; that of the middle is for all dimensions together
  StandingWave(const WaveSettings& settings, const std::vector<double>& weight);

  /// Amplitude and all.
  double shape(const grid::Triple& cell) const;
  /// After so many steps, in a uniform medium.
  double factor(double courant2, grid::Index steps) const;
  /// One step before it turns around, where a cell has this medium.
  double step_before(double courant2) const { return 1 - courant2 * stiffness_ / 2; }

 private:
  std::array<std::vector<double>, 3> factors_;
  double stiffness_;  ///< the negative eigenvalue
};

/// How far roundings can take a standing wave of amplitude 1 from its known course in so many steps.
/// @param unit half the distance from 1 to the next larger number
double wave_rounding(const WaveSettings& settings, grid::Index steps, double unit);

/// A bound for the mean squared change of both fields in a step; none where steps are as long as is stable.
std::optional<double> bound_of_changes(const WaveSettings& settings, const std::vector<double>& wavelet);

}  // namespace haloheap

#endif
