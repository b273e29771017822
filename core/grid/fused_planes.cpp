// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/backend/kernels_on_host.hpp>
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/core/grid/fused_planes.hpp>
#include <haloheap/core/grid/fused_planes_launch.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace haloheap::detail {
namespace {

/// Chosen by measurement on an H200: see docs/measured.md. What a team computes has to fit in registers.
template <class T, class Points, int Steps>
constexpr PlaneShape plane_shape() {
  if (!Points::star) return {sizeof(T) == 4 ? 4 : 3, 12, 1};
  if (Points::radius == 2) return {4, 8, 1};
  return Steps == 2 ? PlaneShape{4, 8, 2} : Steps == 3 ? PlaneShape{4, 12, 1} : PlaneShape{5, 8, 1};
}

template <class T, class Points, int Steps, Sides where>
using FusedPlanes =
    std::conditional_t<Points::star,  //
                       FusedStarPlanes<T, Points, Steps, plane_shape<T, Points, Steps>(), where>,
                       FusedBoxPlanes<T, Points, Steps, plane_shape<T, Points, Steps>(), where>>;

/// Planes of a tile. All teams take as long as the longest, and as many times as there are waves of them: few
/// chunks leave the last wave nearly empty, many compute most planes for their neighbours' sake.
template <class Kernel>
int best_planes(std::span<const Box> boxes, int quantities, int resident) {
  int most = 0, best = 0;
  for (const Box& box : boxes) most = std::max(most, static_cast<int>(box.extent(2)));
  Index least = std::numeric_limits<Index>::max();
  // Every length that some number of chunks leads to.
  for (int planes = most; planes > 0;
       planes = planes == 1 ? 0 : divide_up(most, divide_up(most, planes - 1))) {
    Index teams = 0;
    for (const Box& box : boxes)
      teams += divide_up(static_cast<int>(box.extent(0)), Kernel::columns) *
               divide_up(static_cast<int>(box.extent(1)), Kernel::rows) *
               divide_up(static_cast<int>(box.extent(2)), planes);
    const Index waves = (teams * quantities + resident - 1) / resident;
    const Index time = waves * (planes + 2 * Kernel::reach);
    if (time < least) {
      least = time;
      best = planes;
    }
  }
  return best;
}

template <class T, class Points, int Steps, Sides where>
void launch(const FusedTask<T>& task, std::span<const Box> some) {
  if (some.empty()) return;
  using Kernel = FusedPlanes<T, Points, Steps, where>;
  constexpr PlaneShape shape = plane_shape<T, Points, Steps>();
  constexpr int block = shape.warps * Kernel::lanes_a_warp;
  const FieldLayout& layout = task.layout;
  const int resident = backend::residency().multiprocessors * shape.resident;
  const int planes = best_planes<Kernel>(some, layout.quantities, resident);
  std::vector<StreamBox> boxes;
  for (const Box& box : some) boxes.push_back({box, planes});
  for_each_stream_tiles<3>(boxes, layout.quantities, Kernel::tile(), [&](const StreamTiles<3>& tiles) {
    const Kernel kernel{{task.in, task.out, layout.origin, layout.plane, layout.quantity_size,
                         static_cast<int>(layout.pitch), Coefficients<T, Points>(task.stencil), task.edges,
                         tiles}};
    using Policy =
        Kokkos::TeamPolicy<Kokkos::DefaultExecutionSpace, Kokkos::LaunchBounds<block, shape.resident>>;
    auto policy = backend::as_kernel_argument(Policy(task.exec, static_cast<int>(tiles.count()), block));
    policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::scratch_bytes));
    Kokkos::parallel_for("haloheap::grid::fused_planes", policy, kernel);
  });
}

template <class T, class Points,
          int Steps = most_fused_plane_steps(Points::star ? StencilShape::star : StencilShape::box,
                                             Points::radius)>
void launch_steps(const FusedTask<T>& task) {
  if (task.steps == Steps) {
    // Kernels of their own: what one of them needs would push values of the others out of the registers.
    const SideParts parts(task.edges, task.boxes, FusedPlanes<T, Points, Steps, Sides::away>::tile());
    launch<T, Points, Steps, Sides::anywhere>(task, parts.anywhere);
    launch<T, Points, Steps, Sides::aligned>(task, parts.aligned);
    launch<T, Points, Steps, Sides::away>(task, parts.away);
  } else if constexpr (Steps > 2) {
    launch_steps<T, Points, Steps - 1>(task);
  }
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
