// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RULE_PLANES_LAUNCH_HPP
#define HALOHEAP_CORE_STENCIL_RULE_PLANES_LAUNCH_HPP

#include <haloheap/core/stencil/box_planes.hpp>
#include <haloheap/core/stencil/planes_launch.hpp>
#include <haloheap/core/stencil/rule_planes.hpp>
#include <haloheap/core/stencil/rule_task.hpp>
#include <haloheap/core/stencil/side_parts.hpp>

#include <algorithm>
#include <span>

namespace haloheap::stencil::detail {

/// The planes of all fields and levels that a lane may have in its registers.
inline constexpr int kept_planes = 8;

/// The most steps of a 3D rule that one pass of a device makes.
template <class Rule>
constexpr int max_plane_steps() {
  using Traits = RuleTraits<Rule>;
  if constexpr (SumOverBox<Rule>) return std::min(2, Traits::max_fused_steps);
  if constexpr (!Traits::star) return 1;  // neighbours in all planes, of which only the middle one has ends
  return std::clamp(kept_planes / (2 * Traits::radius * Traits::fields), 1, Traits::max_fused_steps);
}

/// Of sums over a box, chosen by measurement on an H200: see docs/results/tuning/2026-11_stencils.md. Sums
/// larger than a value leave registers for fewer rows.
template <class Rule, int Steps, class Tally>
constexpr PlaneShape box_plane_shape() {
  constexpr std::size_t word = 4, value = std::max(word, sizeof(typename RuleTraits<Rule>::T)),
                        sum = sizeof(typename Rule::Sum);
  constexpr bool slim = value == word && sum <= value;
  if (Tally::counts) return {3, 12, 1};
  if (sum > 2 * value) return {2, 12, 1};
  if (Steps == 1) return {4, 4, slim ? 5 : 4};
  return {slim ? 4 : 3, 12, 1};
}

/// Of single steps chosen by measurement on an H200, see docs/results/tuning/2026-11_stencils.md. No height
/// where other kernels are faster, or nothing was measured.
template <class Rule, class Tally>
constexpr PlaneShape single_plane_shape() {
  using Traits = RuleTraits<Rule>;
  if (Traits::dims != 3 || Traits::stages > 1 || sizeof(typename Traits::T) < 4) return {};
  if (Tally::measures) return {};
  if constexpr (SumOverBox<Rule> && Traits::constants == 0) return box_plane_shape<Rule, 1, Tally>();
  if (!Traits::star) return {};
  if (Traits::fields == 1 && Traits::constants == 0) {
    if (Traits::radius == 2) return Tally::counts ? PlaneShape{3, 12, 1} : PlaneShape{7, 8, 1};
    if (Traits::radius == 3 && sizeof(typename Traits::T) == 4 && !Tally::counts) return {5, 8, 1};
  }
  if (Traits::fields == 2 && !Tally::counts) {
    if (Traits::radius == 1) return {2, 8, 2};
    if (Traits::radius == 2) return Traits::constants > 0 ? PlaneShape{2, 12, 1} : PlaneShape{3, 12, 1};
  }
  return {};
}

/// Of several steps of one field, and of two of radius 1, the same. What a team computes has to fit in
/// registers: besides the planes of all levels those that come and that are computed.
template <class Rule, int Steps, class Tally = NoTally>
constexpr PlaneShape rule_plane_shape() {
  using Traits = RuleTraits<Rule>;
  if (Steps == 1) return single_plane_shape<Rule, Tally>();
  if constexpr (SumOverBox<Rule>) return box_plane_shape<Rule, Steps, Tally>();
  if (Traits::fields == 1 && Traits::radius == 1)
    return Steps == 2 ? PlaneShape{4, 8, 2} : Steps == 3 ? PlaneShape{4, 12, 1} : PlaneShape{5, 8, 1};
  if (Traits::fields == 2 && Traits::radius == 1 && Traits::stages == 1 && Steps == 2) return {2, 12, 1};
  constexpr int registers = 210, words = 4;
  constexpr int height = registers / (words * Traits::fields * (2 * Traits::radius * Steps + 3));
  return {std::clamp(height, std::max(2, Traits::radius), 6), 8, 1};
}

/// The kernel of a rule that streams through planes.
template <class Rule, int Steps, PlaneShape shape, Sides where, class Platform = lanes::Platform,
          class Tally = NoTally>
struct PlanesOf {
  using type = RulePlanes<Rule, Steps, shape, where, Platform, Tally>;
};
template <SumOverBox Rule, int Steps, PlaneShape shape, Sides where, class Platform, class Tally>
struct PlanesOf<Rule, Steps, shape, where, Platform, Tally> {
  using type = BoxPlanes<Rule, Steps, shape, where, Platform, Tally>;
};

template <int Steps, Sides where, class Rule, class Tally>
void launch_rule_planes(const RuleTask<Rule, Tally>& task, std::span<const grid::Box> some) {
  constexpr PlaneShape shape = rule_plane_shape<Rule, Steps, Tally>();
  using Kernel = typename PlanesOf<Rule, Steps, shape, where, lanes::Platform, Tally>::type;
  const grid::FieldLayout& layout = task.layout;
  launch_planes<Steps, shape, Kernel>(task.exec, some, task.sets(), [&](const StreamTiles<3>& tiles) {
    return Kernel{{task.in, task.out, layout.origin, layout.plane, layout.quantity_size,
                   static_cast<int>(layout.pitch)},
                  task.rule,
                  task.frame,
                  task.edges,
                  tiles,
                  task.tally};
  });
}

/// Tiles that meet a side of the grid have kernels of their own: what they need would push values of the
/// others out of the registers.
template <int Steps, class Rule>
void launch_rule_planes(const RuleTask<Rule>& task) {
  constexpr PlaneShape shape = rule_plane_shape<Rule, Steps>();
  const SideParts parts(task.edges, task.boxes, PlanesOf<Rule, Steps, shape, Sides::away>::type::tile());
  launch_rule_planes<Steps, Sides::anywhere>(task, parts.anywhere);
  launch_rule_planes<Steps, Sides::aligned>(task, parts.aligned);
  launch_rule_planes<Steps, Sides::away>(task, parts.away);
}

/// One step. What is outside the grid is in memory already: to the kernel the grid has no sides.
template <class Rule, class Tally>
void sweep_rule_planes(const RuleTask<Rule, Tally>& task) {
  const RuleEdges<Rule> no_sides(SideRules{}, {});
  launch_rule_planes<1, Sides::away>(
      RuleTask<Rule, Tally>{task.exec, task.rule, task.frame, task.layout, no_sides, task.in, task.out,
                            task.boxes, 1, task.tally},
      task.boxes);
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
