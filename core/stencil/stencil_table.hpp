// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_STENCIL_TABLE_HPP
#define HALOHEAP_CORE_STENCIL_STENCIL_TABLE_HPP

#include <haloheap/core/stencil/kinds.hpp>

#include <algorithm>
#include <array>

namespace haloheap::stencil {

/// A stencil that has kernels, in 2D and in 3D.
struct StencilKind {
  StencilShape shape;
  int radius;
  /// Steps that one pass of a device makes at most, in 2D and in 3D: the registers end there, and so does
  /// what more steps would gain, see docs/results/tuning/2026-11_stencils.md. 1: the steps of several do not
  /// fit into the registers.
  int device_steps[2];
  /// Of a star the second derivative along a line, by distance: the central difference of order 2 * radius.
  /// The box has weights of its own, see laplacian_weight.
  std::array<double, 5> second_derivative;
};

/// Every stencil that has kernels is a line here, and nothing else needs to know of it.
inline constexpr StencilKind stencil_table[] = {
    {StencilShape::star, 1, {8, 4}, {-2.0, 1.0}},
    {StencilShape::box, 1, {8, 2}, {}},
    {StencilShape::star, 2, {4, 2}, {-5.0 / 2.0, 4.0 / 3.0, -1.0 / 12.0}},
    {StencilShape::star, 3, {2, 1}, {-49.0 / 18.0, 3.0 / 2.0, -3.0 / 20.0, 1.0 / 90.0}},
    {StencilShape::star, 4, {2, 1}, {-205.0 / 72.0, 8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0}},
};

/// Null if there is no such stencil.
constexpr const StencilKind* find_stencil(StencilShape shape, int radius) {
  for (const StencilKind& kind : stencil_table)
    if (kind.shape == shape && kind.radius == radius) return &kind;
  return nullptr;
}

constexpr int widest_stencil() {
  int widest = 0;
  for (const StencilKind& kind : stencil_table) widest = std::max(widest, kind.radius);
  return widest;
}

}  // namespace haloheap::stencil

#endif
