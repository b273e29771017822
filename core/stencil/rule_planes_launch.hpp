// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RULE_PLANES_LAUNCH_HPP
#define HALOHEAP_CORE_STENCIL_RULE_PLANES_LAUNCH_HPP

#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/core/stencil/plane_count.hpp>
#include <haloheap/core/stencil/rule_planes.hpp>
#include <haloheap/core/stencil/rule_task.hpp>
#include <haloheap/core/stencil/side_parts.hpp>

#include <algorithm>
#include <vector>

namespace haloheap::stencil::detail {

/// The planes of all fields and levels that a lane may have in its registers.
inline constexpr int kept_planes = 8;

/// Whether single steps of a 3D rule are made by the kernel of several, too. It reads memory once, but
/// computes more than it stores: of seven points MarchSweep is faster.
template <class Rule>
inline constexpr bool swept_by_planes =
    RuleTraits<Rule>::dims == 3 && RuleTraits<Rule>::star&& RuleTraits<Rule>::fields == 1 &&
    RuleTraits<Rule>::radius == 2;

/// The most steps of a 3D rule that one pass of a device makes.
template <class Rule>
constexpr int max_plane_steps() {
  using Traits = RuleTraits<Rule>;
  if constexpr (!Traits::star) return 1;  // neighbours in all planes, of which only the middle one has ends
  return std::clamp(kept_planes / (2 * Traits::radius * Traits::fields), 1, Traits::max_fused_steps);
}

/// Of one field chosen by measurement on an H200, see docs/results/tuning/2026-11_stencils.md. What a team
/// computes has to fit in registers: besides the planes of all levels those that come and that are computed.
template <class Rule, int Steps, class Residual = NoResidual>
constexpr PlaneShape rule_plane_shape() {
  using Traits = RuleTraits<Rule>;
  if (Residual::counts) return {3, 12, 1};
  if (Traits::fields == 1 && Steps == 1) return {7, 8, 1};
  if (Traits::fields == 1 && Traits::radius == 1)
    return Steps == 2 ? PlaneShape{4, 8, 2} : Steps == 3 ? PlaneShape{4, 12, 1} : PlaneShape{5, 8, 1};
  constexpr int registers = 210, words = 4;
  constexpr int height = registers / (words * Traits::fields * (2 * Traits::radius * Steps + 3));
  return {std::clamp(height, std::max(2, Traits::radius), 6), 8, 1};
}

template <int Steps, Sides where, class Rule, class Residual = NoResidual>
void launch_rule_planes(const char* label, const RuleTask<Rule>& task, std::span<const grid::Box> some,
                        const Residual& residual = {}) {
  if (some.empty()) return;
  constexpr PlaneShape shape = rule_plane_shape<Rule, Steps, Residual>();
  using Kernel = RulePlanes<Rule, Steps, shape, where, lanes::Platform, Residual>;
  constexpr int block = shape.warps * Kernel::lanes_a_warp;
  const grid::FieldLayout& layout = task.layout;
  const int resident = backend::residency().multiprocessors * shape.resident;
  const int planes = best_planes<Kernel>(some, task.sets(), resident);
  std::vector<StreamBox> boxes;
  for (const grid::Box& box : some) boxes.push_back({box, planes});
  for_each_stream_tiles<3>(boxes, task.sets(), Kernel::tile(), [&](const StreamTiles<3>& tiles) {
    const Kernel kernel{{task.in, task.out, layout.origin, layout.plane, layout.quantity_size,
                         static_cast<int>(layout.pitch)},
                        task.rule,
                        task.frame,
                        task.edges,
                        tiles,
                        residual};
    using Policy =
        Kokkos::TeamPolicy<Kokkos::DefaultExecutionSpace, Kokkos::LaunchBounds<block, shape.resident>>;
    auto policy = backend::as_kernel_argument(Policy(task.exec, static_cast<int>(tiles.count()), block));
    policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::scratch_bytes));
    Kokkos::parallel_for(label, policy, kernel);
  });
}

/// Tiles that meet a side of the grid have kernels of their own: what they need would push values of the
/// others out of the registers.
template <int Steps, class Rule>
void launch_rule_planes(const RuleTask<Rule>& task) {
  constexpr auto label = "haloheap::stencil::fused_planes";
  constexpr PlaneShape shape = rule_plane_shape<Rule, Steps>();
  const SideParts parts(task.edges, task.boxes, RulePlanes<Rule, Steps, shape, Sides::away>::tile());
  launch_rule_planes<Steps, Sides::anywhere>(label, task, parts.anywhere);
  launch_rule_planes<Steps, Sides::aligned>(label, task, parts.aligned);
  launch_rule_planes<Steps, Sides::away>(label, task, parts.away);
}

/// @tparam Steps the most there are kernels for
template <int Steps, class Rule>
void launch_fused_rule_planes(const RuleTask<Rule>& task) {
  if constexpr (Steps > 1) {
    if (task.steps == Steps)
      launch_rule_planes<Steps>(task);
    else
      launch_fused_rule_planes<Steps - 1>(task);
  }
}

}  // namespace haloheap::stencil::detail

#endif
