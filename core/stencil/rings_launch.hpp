// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RINGS_LAUNCH_HPP
#define HALOHEAP_CORE_STENCIL_RINGS_LAUNCH_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/core/stencil/fused_rings.hpp>
#include <haloheap/core/stencil/rule_task.hpp>

namespace haloheap::stencil::detail {

/// Several steps in one pass, by host threads.
template <class Rule, class Tally>
void launch_fused_rings(const RuleTask<Rule, Tally>& task) {
  using Traits = RuleTraits<Rule>;
  using Kernel = FusedRings<Rule, Tally>;
  using Policy = Kokkos::TeamPolicy<backend::Exec>;
  for (const grid::Box& box : task.boxes) {
    const RingNeeds needs{Traits::dims, Traits::radius,          task.steps,
                          task.sets(),  task.exec.concurrency(), sizeof(typename Traits::T) * Traits::fields};
    const RingTiling tiling = choose_ring_tiling(box, needs);
    const Kernel kernel{task.in,    task.out, task.layout, task.rule, task.frame,
                        task.edges, tiling,   task.steps,  task.tally};
    auto policy = Policy(task.exec, static_cast<int>(tiling.count() * task.sets()), 1);
    policy.set_scratch_size(1, Kokkos::PerTeam(static_cast<int>(kernel.scratch_bytes() + Kernel::alignment)));
    backend::parallel_for("haloheap::stencil::fused_rings", policy, kernel);
  }
}

}  // namespace haloheap::stencil::detail

#endif
