// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_PLANE_WAVE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_PLANE_WAVE_HPP

#include <haloheap/core/grid/box.hpp>

#include <complex>
#include <numbers>

namespace haloheap {

/// A wave around the grid, cos(2 pi sum of mode x / size), that is multiplied by a complex number.
class PlaneWave {
 public:
  PlaneWave(const grid::Triple& cells, const grid::Triple& mode) : cells_(cells), mode_(mode) {}

  /// From one cell to the next.
  double angle(int dim) const {
    return 2 * std::numbers::pi * static_cast<double>(mode_[dim]) / static_cast<double>(cells_[dim]);
  }
  double at(const grid::Triple& cell, std::complex<double> factor) const {
    double phase = 0;
    for (int dim = 0; dim < 3; ++dim)  // whole periods are left out: their rounding would be seen
      phase += static_cast<double>(cell[dim] * mode_[dim] % cells_[dim]) / static_cast<double>(cells_[dim]);
    return std::real(factor * std::polar(1.0, 2 * std::numbers::pi * phase));
  }

 private:
  grid::Triple cells_, mode_;
};

}  // namespace haloheap

#endif
