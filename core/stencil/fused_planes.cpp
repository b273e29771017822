// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/box_planes.hpp>
#include <haloheap/core/stencil/fused_planes_launch.hpp>
#include <haloheap/core/stencil/linear_task.hpp>
#include <haloheap/core/stencil/planes_launch.hpp>
#include <haloheap/core/stencil/rule_planes_launch.hpp>

#include <span>

namespace haloheap::stencil::detail {
namespace {

/// Chosen by measurement on an H200: see docs/results/tuning/2026-11_stencils.md. What a team computes has to
/// fit in registers.
template <class T, int Steps, class Residual>
constexpr PlaneShape box_plane_shape() {
  if (Residual::counts) return {3, 12, 1};
  if (Steps == 1) return {4, 4, sizeof(T) == 4 ? 5 : 4};
  return {sizeof(T) == 4 ? 4 : 3, 12, 1};
}

template <class T, class Points, int Steps, Sides where, class Residual = NoTally>
void launch_boxes(const FusedTask<T>& task, std::span<const grid::Box> some, const Residual& residual = {}) {
  constexpr PlaneShape shape = box_plane_shape<T, Steps, Residual>();
  using Kernel = BoxPlanes<T, Points, Steps, shape, where, lanes::Platform, Residual>;
  const grid::FieldLayout& layout = task.layout;
  launch_planes<Steps, shape, Kernel>(task.exec, some, layout.quantities, [&](const StreamTiles<3>& tiles) {
    return Kernel{{task.in, task.out, layout.origin, layout.plane, layout.quantity_size,
                   static_cast<int>(layout.pitch)},
                  Coefficients<T, Points>(task.stencil),
                  task.edges(),
                  tiles,
                  residual};
  });
}

template <class T, class Points>
void box_passes(const FusedTask<T>& task) {
  // Kernels of their own: what one of them needs would push values of the others out of the registers.
  constexpr int steps = device_steps<Points>;
  static_assert(steps == 2);
  const SideParts parts(
      task.edges(), task.boxes,
      BoxPlanes<T, Points, steps, box_plane_shape<T, steps, NoTally>(), Sides::away>::tile());
  launch_boxes<T, Points, steps, Sides::anywhere>(task, parts.anywhere);
  launch_boxes<T, Points, steps, Sides::aligned>(task, parts.aligned);
  launch_boxes<T, Points, steps, Sides::away>(task, parts.away);
}

template <class T, class Points>
void star_passes(const FusedTask<T>& task) {
  constexpr int steps = device_steps<Points>;
  static_assert(steps == max_plane_steps<Linear<T, Points>>());
  with_linear_task<T, Points>(task, [](const auto& linear) { launch_fused_rule_planes<steps>(linear); });
}

}  // namespace

template <class T>
void fused_planes(const FusedTask<T>& task) {
  if constexpr (!backend::kernels_on_host)
    with_points_in<3>(task.stencil, [&]<class Points>(Points) {
      if constexpr (Points::star)
        star_passes<T, Points>(task);
      else
        box_passes<T, Points>(task);
    });
}

template <class T, class Residual>
void sweep_box_planes(const FusedTask<T>& task, const Residual& residual) {
  if constexpr (!backend::kernels_on_host)
    with_points_in<3>(task.stencil, [&]<class Points>(Points) {
      if constexpr (!Points::star) launch_boxes<T, Points, 1, Sides::away>(task, task.boxes, residual);
    });
}

template void fused_planes(const FusedTask<float>&);
template void fused_planes(const FusedTask<double>&);
template void sweep_box_planes(const FusedTask<float>&, const NoTally&);
template void sweep_box_planes(const FusedTask<float>&, const ResidualTally&);
template void sweep_box_planes(const FusedTask<double>&, const NoTally&);
template void sweep_box_planes(const FusedTask<double>&, const ResidualTally&);

}  // namespace haloheap::stencil::detail
