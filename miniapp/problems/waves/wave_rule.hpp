// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_RULE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_RULE_HPP

#include <haloheap/core/stencil/rule.hpp>
#include <haloheap/core/stencil/sources.hpp>

#include <Kokkos_Core.hpp>

#include <string_view>

namespace haloheap {

/// A leapfrog step of u_tt = c^2 lap u + source, in space of order 2 * Radius. In sponges the field is
/// tapered in each step by a factor g, which is 1 elsewhere ([Cerjan1985]):
///
///     u(n+1) = g (2 u(n) - g u(n-1)) + g (c dt / h)^2 h^2 lap u(n) + source
///
/// Where g is constant that is g^n times what would be without it.
template <class T, int Dims, int Radius>
struct Wave {
  using Fields = stencil::Fields<T, T>;
  using Constants = stencil::Fields<T, T>;
  static constexpr int dims = Dims, radius = Radius, max_fused_steps = 4;
  static constexpr auto shape = stencil::StencilShape::star;
  static constexpr bool uses_step = true;
  enum { now, before };  // fields: u(n), u(n-1)
  static constexpr std::string_view names[2] = {"u", "before"};
  enum { stiffness, taper };  // constants: g (c dt / h)^2, g

  T weight[Radius + 1];  ///< of the Laplacian in units of cells, by distance
  stencil::PointSource<T, Dims> source;

  // All in line, or hosts would compute one cell at a time.
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    const T g = cell.constant(taper);
    const T inert = g * (T{2} * cell(now) - g * cell(before));
    return stencil::values(inert + cell.constant(stiffness) * laplacian(cell) + source(cell), cell(now));
  }

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T laplacian(const Cell& cell) const {
    T sum = weight[0] * cell(now);
    HALOHEAP_UNROLL
    for (int i = 1; i <= Radius; ++i) {
      T around = cell(now, -i, 0) + cell(now, i, 0) + cell(now, 0, -i) + cell(now, 0, i);
      if constexpr (Dims == 3) around += cell(now, 0, 0, -i) + cell(now, 0, 0, i);
      sum += weight[i] * around;
    }
    return sum;
  }
};

}  // namespace haloheap

#endif
