// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RULE_PASSES_HPP
#define HALOHEAP_CORE_STENCIL_RULE_PASSES_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/stencil/field_names.hpp>
#include <haloheap/core/stencil/impose_outside.hpp>
#include <haloheap/core/stencil/measure_kernel.hpp>
#include <haloheap/core/stencil/measuring.hpp>
#include <haloheap/core/stencil/passes.hpp>
#include <haloheap/core/stencil/rings_launch.hpp>
#include <haloheap/core/stencil/rule_planes_launch.hpp>
#include <haloheap/core/stencil/rule_sweep.hpp>
#include <haloheap/core/stencil/side_problem.hpp>
#include <haloheap/core/stencil/strips_launch.hpp>
#include <haloheap/core/stencil/with_residual.hpp>

#include <type_traits>
#include <vector>

namespace haloheap::stencil {

namespace detail {

/// Words of registers that the rows of all levels may take in a warp's lane.
inline constexpr int strip_registers = 128;

/// The most steps of a rule that one pass makes with the default execution space. haloheap's own stencils say
/// what was measured, of others it is estimated.
template <class Rule>
constexpr int max_rule_steps() {
  using Traits = RuleTraits<Rule>;
  if constexpr (requires { Rule::steps_are_measured; }) {
    return Traits::max_fused_steps;
  } else if constexpr (backend::kernels_on_host) {
    return std::min(max_ring_steps, Traits::max_fused_steps);
  } else if constexpr (Traits::dims == 2) {
    constexpr int row = static_cast<int>(sizeof(typename FusedStrip<Rule, 1, 4>::Row) + 3) / 4;
    return std::clamp(strip_registers / (2 * Traits::radius * Traits::fields * row), 1,
                      Traits::max_fused_steps);
  } else {
    return max_plane_steps<Rule>();
  }
}

/// A rule's kernels on a subdomain.
template <UpdateRule Rule>
class RulePasses final : public Passes {
 public:
  using Traits = RuleTraits<Rule>;
  using Value = ArrayValue<typename Rule::Fields>;
  using Exec = backend::Exec;

  RulePasses(const Rule& rule, const SideRules& sides, const Subdomain& where)
      : rule_(rule), where_(where), edges_(sides, where.inside()) {}

  void impose(const Exec& exec, void* field, const grid::Box& region, const grid::Box& except,
              int step) const override {
    impose_outside(exec,
                   ImposeOutside<Rule>{OutCell<Rule>(static_cast<Value*>(field)), where_.layout, rule_,
                                       frame_at(step), edges_},
                   grid::outside_boxes(region, where_.inside(), except));
  }

  bool measures(const StateMeasure& measure, int steps) const override {
    return (steps == 1 || fused_find) && where_.layout.quantities == Traits::fields &&
           on_the_way(&measure) != nullptr;
  }

  bool fused_residual() const override { return sums_on_the_way<Rule> && fused_find; }

  void run(const Exec& exec, const void* in, void* out, std::span<const grid::Box> boxes, int step, int steps,
           const PassTargets& targets) const override {
    const std::vector<grid::Box> work = grid::without_empty(boxes);
    const FrameOf<Rule> frame = frame_at(step);
    const auto launch = [&]<class Tally>(const Tally& tally) {
      this->launch(RuleTask<Rule, Tally>{exec, rule_, frame, where_.layout, edges_,
                                         InCell<Rule>(static_cast<const Value*>(in)),
                                         OutCell<Rule>(static_cast<Value*>(out)), work, steps, tally},
                   targets.residual);
    };
    if constexpr (measures_on_the_way<Rule>)
      if (const MeasureTarget& target = targets.measure; target.slots != nullptr)
        return launch(MeasureTally<Measure>{on_the_way(target.measure)->parts(target.slots)});
    if constexpr (sums_on_the_way<Rule> && fused_find)
      if (steps > 1) return with_residual(targets.residual, work, launch);
    launch(NoTally{});
  }

 private:
  using Measure = typename MeasureOfRule<Rule>::type;
  static constexpr bool fused_find = fused_passes_find(Traits::dims);

  /// The measure that the rule's kernels are compiled with, if this is it.
  static auto on_the_way([[maybe_unused]] const StateMeasure* measure) {
    if constexpr (measures_on_the_way<Rule>)
      return dynamic_cast<const StateMeasureOf<Measure>*>(measure);
    else
      return static_cast<const StateMeasure*>(nullptr);
  }

  template <class Tally>
  static void launch(const RuleTask<Rule, Tally>& task, const ResidualTarget& residual) {
    if (task.steps == 1)
      sweep_rule(task, residual);
    else if constexpr (backend::kernels_on_host)
      launch_fused_rings(task);
    else if constexpr (Traits::dims == 2)
      launch_fused_strips<max_rule_steps<Rule>()>(task);
    else if constexpr (std::is_same_v<Tally, NoTally>)
      launch_fused_rule_planes<max_rule_steps<Rule>()>(task);
  }

  FrameOf<Rule> frame_at(int step) const { return FrameOf<Rule>(where_, step); }

  Rule rule_;
  Subdomain where_;
  RuleEdges<Rule> edges_;
};

}  // namespace detail

/// What an update rule computes, without its passes: for those who apply it in kernels of their own, and need
/// not compile these.
/// @throws UsageError if the sides do not fit the rule
template <UpdateRule Rule>
Computation description_of(const SideRules& sides) {
  using Traits = RuleTraits<Rule>;
  require_sides(sides, Traits::dims, field_names<Rule>(), detail::HasOutside<Rule>, Traits::plain_sides);
  return {.radius = Traits::radius,
          .fields = Traits::fields,
          .value_bytes = detail::smallest_value_bytes<typename Rule::Fields>(),
          .max_fused_steps = detail::max_rule_steps<Rule>(),
          .stages = Traits::stages,
          .uses_step = Traits::uses_step,
          .has_residual = Traits::has_residual,
          .passes = {}};
}

/// What an update rule computes.
/// @param sides of the grid: see SideRules
/// @throws UsageError if the sides do not fit the rule
template <UpdateRule Rule>
Computation computation_of(const Rule& rule, const SideRules& sides) {
  Computation result = description_of<Rule>(sides);
  result.passes = [rule, sides](const Subdomain& where) {
    return std::make_unique<detail::RulePasses<Rule>>(rule, sides, where);
  };
  return result;
}

}  // namespace haloheap::stencil

#endif
