// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_SINGLE_STEPS_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_SINGLE_STEPS_HPP

#include <haloheap/unit/core/stencil/fields.hpp>
#include <haloheap/unit/core/stencil/stencil_kernels.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace haloheap::testing {

/// Puts into `result` what single steps make of the cells of a box, and returns whether all are numbers:
/// cells that must not be used are none.
template <class T>
bool single_steps(const stencil::Stencil& stencil, const grid::FieldLayout& layout,
                  const StencilKernels<T>& kernels, const std::vector<T>& in, const grid::Box& box, int steps,
                  std::vector<T>& result) {
  if (box.empty()) return true;
  auto from = make_device_array(in), to = make_device_array(in);
  const Kokkos::DefaultExecutionSpace exec;
  for (int left = steps - 1; left >= 0; --left) {
    const grid::Box target =
        intersect(grown(box, stencil.dims, grid::Index{left} * stencil.radius), kernels.inside());
    kernels.impose(exec, from.data(), grown(target, stencil.dims, stencil.radius));
    kernels.step(exec, from.data(), to.data(), target);
    exec.fence("haloheap::unit::single_step");
    std::swap(from, to);
  }
  const auto last = to_host(from);
  bool numbers = true;
  for (int quantity = 0; quantity < layout.quantities; ++quantity)
    for_each_cell(box, [&](const grid::Triple& cell) {
      const auto at = static_cast<std::size_t>(layout.at(cell, quantity));
      numbers = numbers && !std::isnan(last[at]);
      result[at] = last[at];
    });
  return numbers;
}

}  // namespace haloheap::testing

#endif
