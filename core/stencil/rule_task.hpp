// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RULE_TASK_HPP
#define HALOHEAP_CORE_STENCIL_RULE_TASK_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/rule_edges.hpp>

#include <span>

namespace haloheap::stencil::detail {

/// Whether passes of several steps find on their way what tallies ask for. In three dimensions the planes of
/// all levels fill the registers of a device: what is measured beside them is slower than a kernel behind the
/// pass, see docs/results/tuning/2026-11_stencils.md.
constexpr bool fused_passes_find(int dims) {
  return backend::kernels_on_host || dims == 2;
}

/// What a launch of a rule's kernels needs besides its kernel.
/// @tparam Tally what the last step finds on the way: MeasureTally, ResidualTally or NoTally
template <class Rule, class Tally = NoTally>
struct RuleTask {
  const backend::Exec& exec;
  const Rule& rule;
  const FrameOf<Rule>& frame;
  const grid::FieldLayout& layout;
  const RuleEdges<Rule>& edges;
  InCell<Rule> in;
  OutCell<Rule> out;
  std::span<const grid::Box> boxes;  ///< none empty
  int steps = 1;
  Tally tally = {};

  template <class Other>
  RuleTask<Rule, Other> with(const Other& other) const {
    return {exec, rule, frame, layout, edges, in, out, boxes, steps, other};
  }
  /// Sets of the rule's fields, each computed by itself.
  int sets() const { return layout.quantities / RuleTraits<Rule>::fields; }
};

}  // namespace haloheap::stencil::detail

#endif
