// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/kernels_on_host.hpp>
#include <haloheap/core/grid/fused_strips.hpp>
#include <haloheap/core/grid/fused_strips_launch.hpp>

#include <algorithm>
#include <vector>

namespace haloheap::detail {
namespace {

constexpr int block = 128;

/// Blocks that a multiprocessor should hold at once: so many that everything stays in registers, of which it
/// has 64 K. More than four hide no more of the latency. See docs/measured.md.
template <class T, class Kernel>
constexpr int resident_blocks() {
  constexpr int words = sizeof(T) / 4;
  constexpr int row = sizeof(typename Kernel::Row) / 4;
  constexpr int needed =
      Kernel::kept * (Kernel::reach / Kernel::radius) * row + (Kernel::ahead * 4 + 12) * words + 36;
  return std::clamp(65536 / block / needed, 1, 4);
}

/// The part of a box whose strips keep off the sides of the grid.
template <class Kernel, class Edges>
Box keep_off(const Edges& edges, const Box& box) {
  Box inner = box;
  const auto &low = edges.low, &high = edges.high;
  if (low[1].bounded) inner.lo.y = std::max<Index>(box.lo.y, low[1].at + Kernel::reach);
  if (high[1].bounded) inner.hi.y = std::min<Index>(box.hi.y, high[1].at - Kernel::reach);
  const int first = multiple_below(static_cast<int>(box.lo.x), Kernel::width);
  if (low[0].bounded && first - Kernel::margin < low[0].at) inner.lo.x = first + Kernel::columns;
  if (high[0].bounded && box.hi.x + Kernel::margin > high[0].at) {
    const Index strips = (high[0].at - Kernel::margin - inner.lo.x) / Kernel::columns;
    inner.hi.x = inner.lo.x + std::max<Index>(0, strips) * Kernel::columns;
  }
  return inner;
}

/// Rows of a chunk away from the sides: few enough that all that can run at once has work, three times over
/// in large fields, so that nobody waits long for the last; but not so few that most rows are computed for
/// the sake of their neighbours.
template <class Kernel>
int chunk_rows(std::span<const Box> boxes, int quantities, int resident_warps) {
  double strip_rows = 0;
  for (const Box& box : boxes)
    strip_rows += static_cast<double>((box.extent(0) + Kernel::columns - 1) / Kernel::columns *
                                      box.extent(1) * quantities);
  const auto rows = static_cast<int>(strip_rows / resident_warps) + 1;
  return std::max(2 * Kernel::reach, rows > 16 * Kernel::reach ? rows / 3 + 1 : rows);
}

/// The slow parts come first and are short.
template <class Kernel, class T>
std::vector<StripBox> strip_boxes(const FusedTask<T>& task, int resident_warps) {
  const int rows = chunk_rows<Kernel>(task.boxes, task.layout.quantities, resident_warps);
  std::vector<StripBox> edges, inner;
  for (const Box& box : task.boxes) {
    const Box away = keep_off<Kernel>(task.edges, box);
    for (const Box& edge : subtract(box, away)) edges.push_back({edge, std::min(rows, 4 * Kernel::reach)});
    if (const Box rest = intersect(box, away); !rest.empty()) inner.push_back({rest, rows});
  }
  edges.insert(edges.end(), inner.begin(), inner.end());
  return edges;
}

template <class T, class Points, int Steps>
void launch(const FusedTask<T>& task) {
  using Kernel = FusedStrip<T, Points, Steps, 4>;
  constexpr int blocks = resident_blocks<T, Kernel>();
  const int resident = std::max(1, task.exec.concurrency() / 2048 * blocks * (block / Kernel::lanes_a_warp));
  const auto boxes = strip_boxes<Kernel>(task, resident);
  for (std::size_t first = 0; first < boxes.size(); first += StripList::capacity) {
    const auto some =
        std::span(boxes).subspan(first, std::min<std::size_t>(StripList::capacity, boxes.size() - first));
    const StripList strips(some, task.layout.quantities, Kernel::columns, Kernel::width);
    const FusedStrips<Kernel> kernel{
        {task.in, task.out, task.layout.origin, task.layout.pitch, task.layout.quantity_size,
         Coefficients<T, Points>(task.stencil), task.edges},
        strips};
    using Policy = Kokkos::RangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::IndexType<Index>,
                                       Kokkos::LaunchBounds<block, blocks>>;
    Kokkos::parallel_for(
        "haloheap::grid::fused_strips",
        // As a kernel argument whatever its size: see sweep.cpp.
        Kokkos::Experimental::require(Policy(task.exec, 0, Index{strips.warps()} * Kernel::lanes_a_warp),
                                      Kokkos::Experimental::WorkItemProperty::HintLightWeight),
        kernel);
  }
}

template <class T, class Points, int Steps = most_fused_strip_steps(Points::radius)>
void launch_steps(const FusedTask<T>& task) {
  if (task.steps == Steps)
    launch<T, Points, Steps>(task);
  else if constexpr (Steps > 2)
    launch_steps<T, Points, Steps - 1>(task);
}

}  // namespace

template <class T, class Points>
void fused_strips(const FusedTask<T>& task) {
  if constexpr (!backend::kernels_on_host) launch_steps<T, Points>(task);
}

#define HALOHEAP_FUSED_STRIPS(type)                                                                  \
  template void fused_strips<type, StencilPoints<2, StencilShape::star, 1>>(const FusedTask<type>&); \
  template void fused_strips<type, StencilPoints<2, StencilShape::star, 2>>(const FusedTask<type>&); \
  template void fused_strips<type, StencilPoints<2, StencilShape::box, 1>>(const FusedTask<type>&);
HALOHEAP_FUSED_STRIPS(float)
HALOHEAP_FUSED_STRIPS(double)

}  // namespace haloheap::detail
