// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/kernels_on_host.hpp>
#include <haloheap/core/grid/fused_planes.hpp>
#include <haloheap/core/grid/fused_planes_launch.hpp>

#include <algorithm>

namespace haloheap::detail {
namespace {

/// Chosen by measurement on an H200: see docs/measured.md. What a team computes has to fit in registers.
template <class T, class Points, int Steps>
constexpr PlaneShape plane_shape() {
  if (!Points::star) return {sizeof(T) == 4 ? 4 : 3, 12, 1};
  if (Points::radius == 2) return {4, 8, 1};
  return Steps == 2 ? PlaneShape{4, 8, 2} : Steps == 3 ? PlaneShape{4, 12, 1} : PlaneShape{5, 8, 1};
}

template <class T, class Points, int Steps>
using FusedPlanes = std::conditional_t<Points::star,  //
                                       FusedStarPlanes<T, Points, Steps, plane_shape<T, Points, Steps>()>,
                                       FusedBoxPlanes<T, Points, Steps, plane_shape<T, Points, Steps>()>>;

template <class T, class Points, int Steps>
void launch(const FusedTask<T>& task, const Box& box) {
  using Kernel = FusedPlanes<T, Points, Steps>;
  constexpr PlaneShape shape = plane_shape<T, Points, Steps>();
  constexpr int block = shape.warps * Kernel::lanes_a_warp;
  const int resident = std::max(1, task.exec.concurrency() / 2048 * shape.resident);
  const FieldLayout& layout = task.layout;
  const PlaneTiles tiles(box, layout.quantities, Kernel::columns, Kernel::rows, Kernel::width, Kernel::reach,
                         resident);
  const Kernel kernel{{task.in, task.out, layout.origin, layout.plane, layout.quantity_size,
                       static_cast<int>(layout.pitch), Coefficients<T, Points>(task.stencil), task.edges,
                       tiles}};
  using Policy =
      Kokkos::TeamPolicy<Kokkos::DefaultExecutionSpace, Kokkos::LaunchBounds<block, shape.resident>>;
  // As a kernel argument whatever its size: see sweep.cpp.
  auto policy = Kokkos::Experimental::require(Policy(task.exec, static_cast<int>(tiles.teams), block),
                                              Kokkos::Experimental::WorkItemProperty::HintLightWeight);
  policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::scratch_bytes));
  Kokkos::parallel_for("haloheap::grid::fused_planes", policy, kernel);
}

template <class T, class Points,
          int Steps = most_fused_plane_steps(Points::star ? StencilShape::star : StencilShape::box,
                                             Points::radius)>
void launch_steps(const FusedTask<T>& task) {
  if (task.steps == Steps)
    for (const Box& box : task.boxes) launch<T, Points, Steps>(task, box);
  else if constexpr (Steps > 2)
    launch_steps<T, Points, Steps - 1>(task);
}

}  // namespace

template <class T, class Points>
void fused_planes(const FusedTask<T>& task) {
  if constexpr (!backend::kernels_on_host) launch_steps<T, Points>(task);
}

#define HALOHEAP_FUSED_PLANES(type)                                                                  \
  template void fused_planes<type, StencilPoints<3, StencilShape::star, 1>>(const FusedTask<type>&); \
  template void fused_planes<type, StencilPoints<3, StencilShape::star, 2>>(const FusedTask<type>&); \
  template void fused_planes<type, StencilPoints<3, StencilShape::box, 1>>(const FusedTask<type>&);
HALOHEAP_FUSED_PLANES(float)
HALOHEAP_FUSED_PLANES(double)

}  // namespace haloheap::detail
