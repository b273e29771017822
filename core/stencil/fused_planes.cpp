// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/fused_planes_launch.hpp>
#include <haloheap/core/stencil/linear_task.hpp>
#include <haloheap/core/stencil/rule_planes_launch.hpp>
#include <haloheap/core/stencil/with_points.hpp>

namespace haloheap::stencil::detail {

template <class T>
void fused_planes(const FusedTask<T>& task) {
  if constexpr (!backend::kernels_on_host)
    with_points_in<3>(task.stencil, [&]<class Points>(Points) {
      constexpr int steps = device_steps<Points>;
      static_assert(steps == max_plane_steps<Linear<T, Points>>());
      with_linear_task<T, Points>(task, [](const auto& linear) { launch_fused_rule_planes<steps>(linear); });
    });
}

template void fused_planes(const FusedTask<float>&);
template void fused_planes(const FusedTask<double>&);

}  // namespace haloheap::stencil::detail
