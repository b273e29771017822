// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_WITH_POINTS_HPP
#define HALOHEAP_CORE_STENCIL_WITH_POINTS_HPP

#include <haloheap/core/stencil/stencil_points.hpp>

#include <iterator>

namespace haloheap::stencil::detail {

/// Calls `visit` with the compile-time twin of every stencil of the table, in the order of the table.
template <int Dims, class Visit>
void for_each_points(Visit&& visit) {
  [&]<int... I>(std::integer_sequence<int, I...>) {
    (visit(StencilPoints<Dims, stencil_table[I].shape, stencil_table[I].radius>{}), ...);
  }
  (std::make_integer_sequence<int, int{std::size(stencil_table)}>());
}

/// Calls `visit` with the compile-time twin of a run-time stencil that has `Dims` dimensions.
template <int Dims, class Visit>
void with_points_in(const Stencil& stencil, Visit&& visit) {
  for_each_points<Dims>([&]<class Points>(Points points) {
    if (Points::shape == stencil.shape && Points::radius == stencil.radius) visit(points);
  });
}

/// Calls `visit` with the compile-time twin of a run-time stencil.
template <class Visit>
void with_points(const Stencil& stencil, Visit&& visit) {
  if (stencil.dims == 2)
    with_points_in<2>(stencil, visit);
  else
    with_points_in<3>(stencil, visit);
}

}  // namespace haloheap::stencil::detail

#endif
