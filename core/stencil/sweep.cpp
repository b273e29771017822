// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/stencil/fused_planes_launch.hpp>
#include <haloheap/core/stencil/rule_sweep.hpp>
#include <haloheap/core/stencil/sweep.hpp>
#include <haloheap/core/stencil/with_points.hpp>

namespace haloheap::stencil {
namespace {

template <class T, class Points>
void sweep_planes(const detail::FusedTask<T>& task, const ResidualTarget& residual) {
  ResidualTarget inside = residual;
  inside.counted = intersect(task.boxes.front(), residual.counted);
  detail::with_residual(inside, task.boxes, [&]<class Residual>(const Residual& policy) {
    detail::sweep_planes<T>(task, policy);
  });
}

/// The boundary is in memory: to the kernels that could impose it, the grid has no sides.
template <class T, class Points>
void sweep_boxes(const detail::FusedTask<T>& task, const ResidualTarget& residual) {
  if constexpr (!backend::kernels_on_host && detail::swept_by_planes<Points>)
    if (task.boxes.size() == 1) return sweep_planes<T, Points>(task, residual);
  using Rule = detail::Linear<T, Points>;
  const detail::RuleEdges<Rule> no_sides(SideRules{}, {});
  detail::sweep_rule(
      detail::RuleTask<Rule>{
          task.exec, Rule(task.stencil), {}, task.layout, no_sides, task.in, task.out, task.boxes},
      residual);
}

}  // namespace

template <class T>
Sweep<T>::Sweep(const Stencil& stencil, const grid::FieldLayout& layout)
    : stencil_(custom_stencil(stencil.dims, stencil.shape, stencil.radius, stencil.coefficients)),
      layout_(layout) {}

template <class T>
void Sweep<T>::run(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes,
                   const ResidualTarget& residual) const {
  std::vector<grid::Box> work(boxes.begin(), boxes.end());
  std::erase_if(work, [](const grid::Box& box) { return box.empty(); });
  if (work.empty()) return;
  const grid::Boundary no_sides;
  const grid::Box anywhere;
  const detail::FusedTask<T> task{exec, stencil_, layout_, no_sides, anywhere, in, out, work, 1};
  detail::with_points(stencil_, [&]<class Points>(Points) { sweep_boxes<T, Points>(task, residual); });
}

template class Sweep<float>;
template class Sweep<double>;

}  // namespace haloheap::stencil
