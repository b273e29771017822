// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/core/stencil/fused_planes.hpp>
#include <haloheap/core/stencil/fused_planes_launch.hpp>
#include <haloheap/core/stencil/plane_count.hpp>

#include <vector>

namespace haloheap::stencil::detail {
namespace {

/// Chosen by measurement on an H200: see docs/results/tuning/2026-11_stencils.md. What a team computes has to
/// fit in registers.
template <class T, class Points, int Steps, class Residual>
constexpr PlaneShape plane_shape() {
  static_assert(Steps == 1 || Points::radius <= 2,
                "which shape is the fastest for this radius is not measured");
  if (Residual::counts) return {3, 12, 1};
  if (Steps == 1) return Points::star ? PlaneShape{7, 8, 1} : PlaneShape{4, 4, sizeof(T) == 4 ? 5 : 4};
  if (!Points::star) return {sizeof(T) == 4 ? 4 : 3, 12, 1};
  if (Points::radius == 2) return {4, 8, 1};
  return Steps == 2 ? PlaneShape{4, 8, 2} : Steps == 3 ? PlaneShape{4, 12, 1} : PlaneShape{5, 8, 1};
}

template <class T, class Points, int Steps, Sides where, class Residual = NoTally>
using FusedPlanes =
    std::conditional_t<Points::star,  //
                       FusedStarPlanes<T, Points, Steps, plane_shape<T, Points, Steps, Residual>(), where,
                                       lanes::Platform, Residual>,
                       FusedBoxPlanes<T, Points, Steps, plane_shape<T, Points, Steps, Residual>(), where,
                                      lanes::Platform, Residual>>;

template <class T, class Points, int Steps, Sides where, class Residual = NoTally>
void launch(const char* label, const FusedTask<T>& task, std::span<const grid::Box> some,
            const Residual& residual = {}) {
  if (some.empty()) return;
  using Kernel = FusedPlanes<T, Points, Steps, where, Residual>;
  constexpr PlaneShape shape = plane_shape<T, Points, Steps, Residual>();
  constexpr int block = shape.warps * Kernel::lanes_a_warp;
  const grid::FieldLayout& layout = task.layout;
  const int resident = backend::residency().multiprocessors * shape.resident;
  const int planes = best_planes<Kernel>(some, layout.quantities, resident);
  std::vector<StreamBox> boxes;
  for (const grid::Box& box : some) boxes.push_back({box, planes});
  for_each_stream_tiles<3>(boxes, layout.quantities, Kernel::tile(), [&](const StreamTiles<3>& tiles) {
    const Kernel kernel{{{task.in, task.out, layout.origin, layout.plane, layout.quantity_size,
                          static_cast<int>(layout.pitch)},
                         Coefficients<T, Points>(task.stencil),
                         task.edges(),
                         tiles,
                         residual}};
    using Policy =
        Kokkos::TeamPolicy<Kokkos::DefaultExecutionSpace, Kokkos::LaunchBounds<block, shape.resident>>;
    auto policy = backend::as_kernel_argument(Policy(task.exec, static_cast<int>(tiles.count()), block));
    policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::scratch_bytes));
    Kokkos::parallel_for(label, policy, kernel);
  });
}

template <class T, class Points, int Steps>
void launch_parts(const FusedTask<T>& task) {
  // Kernels of their own: what one of them needs would push values of the others out of the registers.
  constexpr auto label = "haloheap::stencil::fused_planes";
  const SideParts parts(task.edges(), task.boxes, FusedPlanes<T, Points, Steps, Sides::away>::tile());
  launch<T, Points, Steps, Sides::anywhere>(label, task, parts.anywhere);
  launch<T, Points, Steps, Sides::aligned>(label, task, parts.aligned);
  launch<T, Points, Steps, Sides::away>(label, task, parts.away);
}

template <class T, class Points, int Steps = device_steps<Points>>
void launch_steps(const FusedTask<T>& task) {
  if constexpr (Steps > 1) {
    if (task.steps == Steps)
      launch_parts<T, Points, Steps>(task);
    else
      launch_steps<T, Points, Steps - 1>(task);
  }
}

}  // namespace

template <class T>
void fused_planes(const FusedTask<T>& task) {
  if constexpr (!backend::kernels_on_host)
    with_points_in<3>(task.stencil, [&]<class Points>(Points) { launch_steps<T, Points>(task); });
}

template <class T, class Residual>
void sweep_planes(const FusedTask<T>& task, const Residual& residual) {
  if constexpr (!backend::kernels_on_host)
    with_points_in<3>(task.stencil, [&]<class Points>(Points) {
      if constexpr (swept_by_planes<Points>)
        launch<T, Points, 1, Sides::away>("haloheap::stencil::sweep_planes", task, task.boxes, residual);
    });
}

template void fused_planes(const FusedTask<float>&);
template void fused_planes(const FusedTask<double>&);
template void sweep_planes(const FusedTask<float>&, const NoTally&);
template void sweep_planes(const FusedTask<float>&, const ResidualTally&);
template void sweep_planes(const FusedTask<double>&, const NoTally&);
template void sweep_planes(const FusedTask<double>&, const ResidualTally&);

}  // namespace haloheap::stencil::detail
