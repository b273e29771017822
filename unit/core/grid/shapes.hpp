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

}  // namespace haloheap::testing

#endif
