// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_WITH_POINTS_HPP
#define HALOHEAP_CORE_GRID_WITH_POINTS_HPP

#include <haloheap/core/grid/stencil_points.hpp>

namespace haloheap {

/// Calls `visit` with the compile-time twin of a run-time stencil.
template <class Visit>
void with_points(const Stencil& stencil, Visit&& visit) {
  const auto by_dims = [&]<int Dims>() {
    if (stencil.shape == StencilShape::box)
      visit(StencilPoints<Dims, StencilShape::box, 1>{});
    else if (stencil.radius == 1)
      visit(StencilPoints<Dims, StencilShape::star, 1>{});
    else
      visit(StencilPoints<Dims, StencilShape::star, 2>{});
  };
  if (stencil.dims == 2)
    by_dims.template operator()<2>();
  else
    by_dims.template operator()<3>();
}

}  // namespace haloheap

#endif
