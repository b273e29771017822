// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/stencil/fused_planes_launch.hpp>
#include <haloheap/core/stencil/linear_task.hpp>
#include <haloheap/core/stencil/rule_sweep.hpp>
#include <haloheap/core/stencil/sweep.hpp>
#include <haloheap/core/stencil/with_points.hpp>
#include <haloheap/core/stencil/with_residual.hpp>

namespace haloheap::stencil {
namespace {

/// The boundary is in memory: to the kernels that could impose it, the grid has no sides.
template <class T, class Points>
void sweep_boxes(const detail::FusedTask<T>& task, const ResidualTarget& residual) {
  if constexpr (!backend::kernels_on_host && Points::dims == 3 && !Points::star)
    if (task.boxes.size() == 1) {
      detail::with_residual(residual, task.boxes,
                            [&](const auto& policy) { detail::sweep_box_planes<T>(task, policy); });
      return;
    }
  detail::with_linear_task<T, Points>(task,
                                      [&](const auto& linear) { detail::sweep_rule(linear, residual); });
}

}  // namespace

template <class T>
Sweep<T>::Sweep(const Stencil& stencil, const grid::FieldLayout& layout)
    : stencil_(custom_stencil(stencil.dims, stencil.shape, stencil.radius, stencil.coefficients)),
      layout_(layout) {}

template <class T>
void Sweep<T>::run(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes,
                   const ResidualTarget& residual) const {
  const std::vector<grid::Box> work = grid::without_empty(boxes);
  if (work.empty()) return;
  const grid::Boundary no_sides;
  const grid::Box anywhere;
  const detail::FusedTask<T> task{exec, stencil_, layout_, no_sides, anywhere, in, out, work, 1};
  detail::with_points(stencil_, [&]<class Points>(Points) { sweep_boxes<T, Points>(task, residual); });
}

template class Sweep<float>;
template class Sweep<double>;

}  // namespace haloheap::stencil
