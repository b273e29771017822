// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_LINEAR_TASK_HPP
#define HALOHEAP_CORE_STENCIL_LINEAR_TASK_HPP

#include <haloheap/core/stencil/fused_task.hpp>
#include <haloheap/core/stencil/rule_task.hpp>
#include <haloheap/core/stencil/stencil_points.hpp>

namespace haloheap::stencil::detail {

/// Calls `visit` with the same task for the update rule that the stencil is.
template <class T, class Points, class Visit>
void with_linear_task(const FusedTask<T>& task, Visit&& visit) {
  using Rule = Linear<T, Points>;
  const Rule rule(task.stencil);
  const RuleEdges<Rule> edges(side_rules(task.boundary, Points::dims), task.inside);
  visit(RuleTask<Rule>{task.exec, rule, {}, task.layout, edges, task.in, task.out, task.boxes, task.steps});
}

}  // namespace haloheap::stencil::detail

#endif
