// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_PLANES_LAUNCH_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_PLANES_LAUNCH_HPP

#include <haloheap/core/stencil/fused_task.hpp>

namespace haloheap::stencil::detail {

/// Enqueues task.steps steps, at least two, on the boxes of a 3D field, on a device. Compiled for every
/// stencil whose table entry has several steps in 3D, float and double.
template <class T>
void fused_planes(const FusedTask<T>& task);

}  // namespace haloheap::stencil::detail

#endif
