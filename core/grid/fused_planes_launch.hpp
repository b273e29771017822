// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_FUSED_PLANES_LAUNCH_HPP
#define HALOHEAP_CORE_GRID_FUSED_PLANES_LAUNCH_HPP

#include <haloheap/core/grid/fused_task.hpp>

namespace haloheap::detail {

/// The registers end there, and so does what more steps would gain: see docs/measured.md.
constexpr int most_fused_plane_steps(StencilShape shape, int radius) {
  return shape == StencilShape::star && radius == 1 ? 4 : 2;
}

/// Enqueues task.steps steps, at least two, on the boxes of a 3D field, on a device. Compiled for every 3D
/// stencil, float and double.
template <class T, class Points>
void fused_planes(const FusedTask<T>& task);

}  // namespace haloheap::detail

#endif
