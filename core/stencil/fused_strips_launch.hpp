// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_STRIPS_LAUNCH_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_STRIPS_LAUNCH_HPP

#include <haloheap/core/stencil/fused_task.hpp>
#include <haloheap/core/stencil/residual.hpp>

namespace haloheap::stencil::detail {

/// Enqueues task.steps steps, at least two, on the boxes of a 2D field, on a device. Compiled for every
/// stencil whose table entry has several steps in 2D, float and double.
/// @param residual of the last step
template <class T>
void fused_strips(const FusedTask<T>& task, const ResidualTarget& residual);

}  // namespace haloheap::stencil::detail

#endif
