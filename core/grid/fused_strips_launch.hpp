// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_FUSED_STRIPS_LAUNCH_HPP
#define HALOHEAP_CORE_GRID_FUSED_STRIPS_LAUNCH_HPP

#include <haloheap/core/grid/fused_task.hpp>

namespace haloheap::detail {

/// The registers end there, and so does what more steps would gain.
constexpr int most_fused_strip_steps(int radius) {
  return 8 / radius;
}

/// Enqueues task.steps steps, at least two, on the boxes of a 2D field, on a device. Compiled for every 2D
/// stencil, float and double.
template <class T, class Points>
void fused_strips(const FusedTask<T>& task);

}  // namespace haloheap::detail

#endif
