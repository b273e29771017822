// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/fused_planes_launch.hpp>
#include <haloheap/core/stencil/fused_strips_launch.hpp>
#include <haloheap/core/stencil/fused_sweep.hpp>
#include <haloheap/core/stencil/linear_task.hpp>
#include <haloheap/core/stencil/rings_launch.hpp>
#include <haloheap/core/stencil/with_points.hpp>
#include <haloheap/core/stencil/with_residual.hpp>

#include <fmt/format.h>

#include <vector>

namespace haloheap::stencil {
namespace {

using backend::kernels_on_host;

template <class T>
void run_passes(const detail::FusedTask<T>& task, const ResidualTarget& residual) {
  if constexpr (kernels_on_host)
    detail::with_points(task.stencil, [&]<class Points>(Points) {
      detail::with_linear_task<T, Points>(task, [&](const auto& linear) {
        detail::with_residual(residual, task.boxes,
                              [&](const auto& tally) { detail::launch_fused_rings(linear.with(tally)); });
      });
    });
  else if (task.stencil.dims == 2)
    detail::fused_strips(task, residual);
  else
    detail::fused_planes(task);
}

}  // namespace

int max_fused_steps(const Stencil& stencil) {
  if (!stencil_supported(stencil.dims, stencil.shape, stencil.radius)) return 1;
  if (kernels_on_host) return detail::max_ring_steps;
  return find_stencil(stencil.shape, stencil.radius)->device_steps[stencil.dims - 2];
}

template <class T>
bool FusedSweep<T>::adds_residual() const {
  return detail::fused_passes_find(stencil_.dims);
}

template <class T>
FusedSweep<T>::FusedSweep(const Stencil& stencil, const grid::FieldLayout& layout,
                          const grid::Boundary& boundary, const grid::Box& inside)
    : stencil_(custom_stencil(stencil.dims, stencil.shape, stencil.radius, stencil.coefficients)),
      layout_(layout),
      boundary_(boundary),
      inside_(inside) {}

template <class T>
void FusedSweep<T>::run(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes, int steps,
                        const ResidualTarget& residual) const {
  const int maximum = max_fused_steps(stencil_);
  if (steps < 2 || steps > maximum)
    throw UsageError(fmt::format("{} steps of this stencil cannot be made in one pass", steps), "",
                     maximum < 2 ? "use Sweep" : fmt::format("use 2 to {} steps, or Sweep", maximum));
  if (residual.slots != nullptr && !adds_residual())
    throw UsageError("on a device a pass of several steps in three dimensions has no residual", "",
                     "make the step that has one with Sweep");
  const std::vector<grid::Box> work = grid::without_empty(boxes);
  run_passes<T>({exec, stencil_, layout_, boundary_, inside_, in, out, work, steps}, residual);
}

template class FusedSweep<float>;
template class FusedSweep<double>;

}  // namespace haloheap::stencil
