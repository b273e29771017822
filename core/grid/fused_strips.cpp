// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/kernels_on_host.hpp>
#include <haloheap/core/grid/fused_strips.hpp>
#include <haloheap/core/grid/fused_strips_launch.hpp>

#include <algorithm>

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

/// Rows of a chunk: all that run at once have the whole field, unless chunks became so short that most rows
/// would be computed for their neighbours' sake.
[[maybe_unused]] int chunk_rows(std::span<const Box> boxes, int quantities, int columns, int reach,
                                int resident_warps) {
  double strip_rows = 0;
  for (const Box& box : boxes)
    strip_rows += static_cast<double>((box.extent(0) + columns - 1) / columns * box.extent(1) * quantities);
  return std::max(2 * reach, static_cast<int>(strip_rows / resident_warps) + 1);
}

template <class T, class Points, int Steps>
void launch(const FusedTask<T>& task) {
  using Kernel = FusedStrips<T, Points, Steps, 4>;
  constexpr int blocks = resident_blocks<T, Kernel>();
  const int resident = task.exec.concurrency() / 2048 * blocks * (block / Kernel::lanes_a_warp);
  for (std::size_t first = 0; first < task.boxes.size(); first += StripList::capacity) {
    const auto boxes =
        task.boxes.subspan(first, std::min<std::size_t>(StripList::capacity, task.boxes.size() - first));
    const StripList strips(
        boxes, task.layout.quantities, Kernel::columns, 4,
        chunk_rows(boxes, task.layout.quantities, Kernel::columns, Kernel::reach, std::max(1, resident)));
    const Kernel kernel{task.in,
                        task.out,
                        task.layout.origin,
                        task.layout.pitch,
                        task.layout.quantity_size,
                        Coefficients<T, Points>(task.stencil),
                        task.edges,
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
  else if constexpr (Steps > 1)
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
