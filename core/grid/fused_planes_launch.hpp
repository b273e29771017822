// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_FUSED_PLANES_LAUNCH_HPP
#define HALOHEAP_CORE_GRID_FUSED_PLANES_LAUNCH_HPP

#include <haloheap/core/grid/fused_task.hpp>
#include <haloheap/core/grid/residual_kernels.hpp>

namespace haloheap::detail {

/// The registers end there, and so does what more steps would gain: see docs/measured.md.
constexpr int most_fused_plane_steps(StencilShape shape, int radius) {
  return shape == StencilShape::star && radius == 1 ? 4 : 2;
}

/// Enqueues task.steps steps, at least two, on the boxes of a 3D field, on a device. Compiled for every 3D
/// stencil, float and double.
template <class T, class Points>
void fused_planes(const FusedTask<T>& task);

/// Enqueues one step on the boxes of a 3D field, on a device, by the same kernels. As of every single step,
/// what is outside the grid is imposed in memory already: task.edges has no sides. Compiled for stencils with
/// more than 7 points, float and double.
/// @param residual NoResidual or CountResidual; the counted cells are inside the boxes
template <class T, class Points, class Residual>
void sweep_planes(const FusedTask<T>& task, const Residual& residual);

}  // namespace haloheap::detail

#endif
