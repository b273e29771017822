// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/stencil/ring_tiling.hpp>
#include <haloheap/core/stencil/stencil_passes.hpp>

namespace haloheap::stencil {

int max_fused_steps(const Stencil& stencil) {
  if (!stencil_supported(stencil.dims, stencil.shape, stencil.radius)) return 1;
  if (backend::kernels_on_host) return detail::max_ring_steps;
  return find_stencil(stencil.shape, stencil.radius)->device_steps[stencil.dims - 2];
}

template <class T>
Computation computation_of(const Stencil& given, const grid::Boundary& boundary, int quantities) {
  const Stencil stencil = custom_stencil(given.dims, given.shape, given.radius, given.coefficients);
  const SideRules sides = side_rules(boundary, stencil.dims);
  Computation result{.radius = stencil.radius,
                     .fields = quantities,
                     .value_bytes = sizeof(T),
                     .max_fused_steps = max_fused_steps(stencil),
                     .passes = {}};
  result.passes = [stencil, sides](const Subdomain& where) {
    return stencil.dims == 2 ? detail::linear_passes<T, 2>(stencil, sides, where)
                             : detail::linear_passes<T, 3>(stencil, sides, where);
  };
  return result;
}

template Computation computation_of<float>(const Stencil&, const grid::Boundary&, int);
template Computation computation_of<double>(const Stencil&, const grid::Boundary&, int);

}  // namespace haloheap::stencil
