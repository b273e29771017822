// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/stencil/fused_strips_launch.hpp>
#include <haloheap/core/stencil/linear_task.hpp>
#include <haloheap/core/stencil/strips_launch.hpp>
#include <haloheap/core/stencil/with_points.hpp>
#include <haloheap/core/stencil/with_residual.hpp>

namespace haloheap::stencil::detail {

template <class T>
void fused_strips(const FusedTask<T>& task, const ResidualTarget& residual) {
  if constexpr (!backend::kernels_on_host)
    with_points_in<2>(task.stencil, [&]<class Points>(Points) {
      with_linear_task<T, Points>(task, [&](const auto& linear) {
        with_residual(residual, task.boxes, [&](const auto& tally) {
          launch_fused_strips<device_steps<Points>>(linear.with(tally));
        });
      });
    });
}

template void fused_strips(const FusedTask<float>&, const ResidualTarget&);
template void fused_strips(const FusedTask<double>&, const ResidualTarget&);

}  // namespace haloheap::stencil::detail
