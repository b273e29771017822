// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/stencil/linear_task.hpp>
#include <haloheap/core/stencil/rule_sweep.hpp>
#include <haloheap/core/stencil/sweep.hpp>
#include <haloheap/core/stencil/with_points.hpp>

namespace haloheap::stencil {

template <class T>
Sweep<T>::Sweep(const Stencil& stencil, const grid::FieldLayout& layout)
    : stencil_(custom_stencil(stencil.dims, stencil.shape, stencil.radius, stencil.coefficients)),
      layout_(layout) {}

template <class T>
void Sweep<T>::run(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes,
                   const ResidualTarget& residual) const {
  const std::vector<grid::Box> work = grid::without_empty(boxes);
  if (work.empty()) return;
  // The boundary is in memory: to the kernels that could impose it, the grid has no sides.
  const grid::Boundary no_sides;
  const grid::Box anywhere;
  const detail::FusedTask<T> task{exec, stencil_, layout_, no_sides, anywhere, in, out, work, 1};
  detail::with_points(stencil_, [&]<class Points>(Points) {
    detail::with_linear_task<T, Points>(task,
                                        [&](const auto& linear) { detail::sweep_rule(linear, residual); });
  });
}

template class Sweep<float>;
template class Sweep<double>;

}  // namespace haloheap::stencil
