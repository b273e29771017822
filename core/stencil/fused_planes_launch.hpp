// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_PLANES_LAUNCH_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_PLANES_LAUNCH_HPP

#include <haloheap/core/stencil/fused_task.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/with_points.hpp>

namespace haloheap::stencil::detail {

/// Whether the kernels of several steps make single ones, too. They read memory once, but compute more than
/// they store: of seven points MarchSweep is faster.
template <class Points>
inline constexpr bool swept_by_planes = Points::dims == 3 && device_steps<Points> > 1 && Points::count > 7;

/// Enqueues task.steps steps, at least two, on the boxes of a 3D field, on a device. Compiled for every
/// stencil whose table entry has several steps in 3D, float and double.
template <class T>
void fused_planes(const FusedTask<T>& task);

/// Enqueues one step on the boxes of a 3D field, on a device, by the same kernels. As of every single step,
/// what is outside the grid is imposed in memory already: task.edges has no sides. Compiled for the stencils
/// that are swept_by_planes, float and double.
/// @param residual NoTally or ResidualTally; the counted cells are inside the boxes
template <class T, class Residual>
void sweep_planes(const FusedTask<T>& task, const Residual& residual);

}  // namespace haloheap::stencil::detail

#endif
