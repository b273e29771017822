// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_PLANES_LAUNCH_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_PLANES_LAUNCH_HPP

#include <haloheap/core/stencil/fused_task.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/with_points.hpp>

namespace haloheap::stencil::detail {

/// Enqueues task.steps steps, at least two, on the boxes of a 3D field, on a device. Compiled for every
/// stencil whose table entry has several steps in 3D, float and double.
template <class T>
void fused_planes(const FusedTask<T>& task);

/// Enqueues one step of the 27-point box, by the kernels of several, which read memory once. As of every
/// single step, what is outside the grid is imposed in memory already: task.edges has no sides. Compiled for
/// float and double.
/// @param residual NoTally or ResidualTally; the counted cells are inside the boxes
template <class T, class Residual>
void sweep_box_planes(const FusedTask<T>& task, const Residual& residual);

}  // namespace haloheap::stencil::detail

#endif
