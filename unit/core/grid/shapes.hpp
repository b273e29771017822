// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_GRID_SHAPES_HPP
#define HALOHEAP_UNIT_CORE_GRID_SHAPES_HPP

#include <haloheap/core/grid/stencil.hpp>

namespace haloheap::testing {

struct Shape {
  int dims;
  StencilShape shape;
  int radius;
};

/// All stencils that have a kernel.
inline constexpr Shape shapes[] = {{2, StencilShape::star, 1}, {2, StencilShape::box, 1},
                                   {2, StencilShape::star, 2}, {3, StencilShape::star, 1},
                                   {3, StencilShape::box, 1},  {3, StencilShape::star, 2}};

/// No two coefficients alike, so that no two neighbours can be mistaken for each other.
inline Stencil lopsided(const Shape& shape) {
  std::vector<double> coefficients(stencil_points(shape.dims, shape.shape, shape.radius));
  double next = 0.3;
  for (double& c : coefficients) c = next = 0.77 * next - 0.031;
  return custom_stencil(shape.dims, shape.shape, shape.radius, coefficients);
}

}  // namespace haloheap::testing

#endif
