// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_SHAPES_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_SHAPES_HPP

#include <haloheap/core/stencil/stencil.hpp>

#include <cmath>
#include <vector>

namespace haloheap::testing {

struct Shape {
  int dims;
  stencil::StencilShape shape;
  int radius;
};

inline std::vector<Shape> all_shapes() {
  std::vector<Shape> all;
  for (const int dims : {2, 3})
    for (const stencil::StencilKind& kind : stencil::stencil_table)
      all.push_back({dims, kind.shape, kind.radius});
  return all;
}

/// All stencils that have a kernel.
inline const std::vector<Shape> shapes = all_shapes();

/// What the central difference of order 2 * radius makes of a wave with this angle per cell, by the wave: the
/// terms up to s^(2 radius) of 4 arcsin(s / 2)^2, with s = 2 sin(angle / 2), where the whole series is the
/// square of the angle.
inline double second_derivative(int radius, double angle) {
  const double s = 2 * std::sin(angle / 2);
  double sum = 0, factor = 1;  // of term k: 2 (k - 1)!^2 / (2k)!
  for (int k = 1; k <= radius; ++k) {
    sum -= factor * std::pow(s, 2 * k);
    factor *= static_cast<double>(k * k) / ((2 * k + 1) * (2 * k + 2));
  }
  return sum;
}

/// No two coefficients alike, so that no two neighbours can be mistaken for each other.
inline stencil::Stencil lopsided(const Shape& shape) {
  std::vector<double> coefficients(stencil::stencil_points(shape.dims, shape.shape, shape.radius));
  double next = 0.3;
  for (double& c : coefficients) c = next = 0.77 * next - 0.031;
  return stencil::custom_stencil(shape.dims, shape.shape, shape.radius, coefficients);
}

}  // namespace haloheap::testing

#endif
