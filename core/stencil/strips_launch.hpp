// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_STRIPS_LAUNCH_HPP
#define HALOHEAP_CORE_STENCIL_STRIPS_LAUNCH_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/core/stencil/fused_strips.hpp>
#include <haloheap/core/stencil/rule_task.hpp>
#include <haloheap/core/stencil/side_parts.hpp>

#include <algorithm>
#include <vector>

namespace haloheap::stencil::detail {

/// Blocks that a multiprocessor should hold at once: so many that everything stays in registers, of which it
/// has 64 K, and there is memory for their rings, but 16 warps at most: more hide no more of the latency. See
/// docs/results/tuning/2026-11_stencils.md.
template <class Kernel>
constexpr int resident_strip_blocks() {
  constexpr int words = sizeof(typename Kernel::T) / 4;
  constexpr int row = sizeof(typename Kernel::Row) / 4, block = Kernel::Rows::threads;
  constexpr int needed =
      Kernel::fields * (Kernel::kept * (Kernel::reach / Kernel::radius) * row + 16 * words) + 36;
  constexpr int with_rings = backend::ring_memory / (Kernel::Rows::lane_bytes * block + 1024);
  return std::clamp(65536 / block / needed, 1, std::clamp(with_rings, 1, 512 / block));
}

/// Rows of a chunk away from the sides: few enough that all that can run at once has work, three times over
/// in large fields, so that nobody waits long for the last; but not so few that most rows are computed for
/// the sake of their neighbours.
template <class Kernel>
int chunk_rows(std::span<const grid::Box> boxes, int sets, int resident_warps) {
  double strip_rows = 0;
  for (const grid::Box& box : boxes)
    strip_rows +=
        static_cast<double>((box.extent(0) + Kernel::columns - 1) / Kernel::columns * box.extent(1) * sets);
  const auto rows = static_cast<int>(strip_rows / resident_warps) + 1;
  return std::max(2 * Kernel::reach, rows > 16 * Kernel::reach ? rows / 3 + 1 : rows);
}

/// The slow parts come first and are short.
template <class Kernel, class Task>
std::vector<StreamBox> strip_boxes(const Task& task, int resident_warps) {
  const int rows = chunk_rows<Kernel>(task.boxes, task.sets(), resident_warps);
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

template <int Steps, class Rule, class Tally>
void launch_strips(const RuleTask<Rule, Tally>& task) {
  using Kernel = FusedStrip<Rule, Steps, 4, haloheap::lanes::Platform, Tally>;
  constexpr int block = Kernel::Rows::threads, blocks = resident_strip_blocks<Kernel>();
  const int resident = backend::residency().multiprocessors * blocks * (block / Kernel::lanes_a_warp);
  const auto boxes = strip_boxes<Kernel>(task, resident);
  for_each_stream_tiles<2>(boxes, task.sets(), Kernel::tile(), [&](const StreamTiles<2>& strips) {
    const grid::FieldLayout& layout = task.layout;
    const FusedStrips<Kernel> kernel{{task.in, task.out, layout.origin, layout.pitch, layout.quantity_size,
                                      task.rule, task.frame, task.edges, task.tally},
                                     strips};
    using Policy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>,
                                       Kokkos::LaunchBounds<block, blocks>>;
    const Policy policy(task.exec, 0, grid::Index{strips.count()} * Kernel::lanes_a_warp);
    Kokkos::parallel_for("haloheap::stencil::fused_strips", backend::as_kernel_argument(policy), kernel);
  });
}

/// @tparam Steps the most there are kernels for
template <int Steps, class Rule, class Tally>
void launch_fused_strips(const RuleTask<Rule, Tally>& task) {
  if constexpr (Steps > 1) {
    if (task.steps == Steps)
      launch_strips<Steps>(task);
    else
      launch_fused_strips<Steps - 1>(task);
  }
}

}  // namespace haloheap::stencil::detail

#endif
