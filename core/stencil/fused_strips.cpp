// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/core/stencil/fused_strips.hpp>
#include <haloheap/core/stencil/fused_strips_launch.hpp>
#include <haloheap/core/stencil/side_parts.hpp>
#include <haloheap/core/stencil/with_points.hpp>

#include <algorithm>
#include <vector>

namespace haloheap::stencil::detail {
namespace {

constexpr int block = 128;

/// Blocks that a multiprocessor should hold at once: so many that everything stays in registers, of which it
/// has 64 K. More than four hide no more of the latency. See docs/results/tuning/2026-11_stencils.md.
template <class T, class Kernel>
constexpr int resident_blocks() {
  constexpr int words = sizeof(T) / 4;
  constexpr int row = sizeof(typename Kernel::Row) / 4;
  constexpr int needed =
      Kernel::kept * (Kernel::reach / Kernel::radius) * row + (Kernel::ahead * 4 + 10) * words + 36;
  return std::clamp(65536 / block / needed, 1, 4);
}

/// Rows of a chunk away from the sides: few enough that all that can run at once has work, three times over
/// in large fields, so that nobody waits long for the last; but not so few that most rows are computed for
/// the sake of their neighbours.
template <class Kernel>
int chunk_rows(std::span<const grid::Box> boxes, int quantities, int resident_warps) {
  double strip_rows = 0;
  for (const grid::Box& box : boxes)
    strip_rows += static_cast<double>((box.extent(0) + Kernel::columns - 1) / Kernel::columns *
                                      box.extent(1) * quantities);
  const auto rows = static_cast<int>(strip_rows / resident_warps) + 1;
  return std::max(2 * Kernel::reach, rows > 16 * Kernel::reach ? rows / 3 + 1 : rows);
}

/// The slow parts come first and are short.
template <class Kernel, class T>
std::vector<StreamBox> strip_boxes(const FusedTask<T>& task, int resident_warps) {
  const int rows = chunk_rows<Kernel>(task.boxes, task.layout.quantities, resident_warps);
  std::vector<StreamBox> edges, inner;
  for (const grid::Box& box : task.boxes) {
    const grid::Box away = keep_off<2>(task.edges, box, Kernel::tile(), Kernel::reach);
    for (const grid::Box& edge : subtract(box, away))
      edges.push_back({edge, std::min(rows, 4 * Kernel::reach)});
    if (!away.empty()) inner.push_back({away, rows});
  }
  edges.insert(edges.end(), inner.begin(), inner.end());
  return edges;
}

template <class T, class Points, int Steps>
void launch(const FusedTask<T>& task) {
  using Kernel = FusedStrip<T, Points, Steps, 4>;
  constexpr int blocks = resident_blocks<T, Kernel>();
  const int resident = backend::residency().multiprocessors * blocks * (block / Kernel::lanes_a_warp);
  const auto boxes = strip_boxes<Kernel>(task, resident);
  for_each_stream_tiles<2>(boxes, task.layout.quantities, Kernel::tile(), [&](const StreamTiles<2>& strips) {
    const FusedStrips<Kernel> kernel{
        {task.in, task.out, task.layout.origin, task.layout.pitch, task.layout.quantity_size,
         Coefficients<T, Points>(task.stencil), task.edges},
        strips};
    using Policy = Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::IndexType<grid::Index>,
                                       Kokkos::LaunchBounds<block, blocks>>;
    const Policy policy(task.exec, 0, grid::Index{strips.count()} * Kernel::lanes_a_warp);
    Kokkos::parallel_for("haloheap::stencil::fused_strips", backend::as_kernel_argument(policy), kernel);
  });
}

template <class T, class Points, int Steps = device_steps<Points>>
void launch_steps(const FusedTask<T>& task) {
  if constexpr (Steps > 1) {
    if (task.steps == Steps)
      launch<T, Points, Steps>(task);
    else
      launch_steps<T, Points, Steps - 1>(task);
  }
}

}  // namespace

template <class T>
void fused_strips(const FusedTask<T>& task) {
  if constexpr (!backend::kernels_on_host)
    with_points_in<2>(task.stencil, [&]<class Points>(Points) { launch_steps<T, Points>(task); });
}

template void fused_strips(const FusedTask<float>&);
template void fused_strips(const FusedTask<double>&);

}  // namespace haloheap::stencil::detail
