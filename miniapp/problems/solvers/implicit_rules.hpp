// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_IMPLICIT_RULES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_IMPLICIT_RULES_HPP

#include <haloheap/core/stencil/rule.hpp>

namespace haloheap {

/// A step of backward Euler: u - dt div(k grad u), by finite volumes. The conductivity of a face is the
/// harmonic mean of both sides, so that a cell has half of dt / (width^2 k), of which that of a face is the
/// reciprocal of a sum in the usual notation, and as TeaLeaf has it, with 1 / k in the place of k, a sum.
template <class T, int Dims>
struct BackwardEuler {
  using Fields = stencil::Fields<T>;
  using Constants = stencil::Fields<T>;
  static constexpr int dims = Dims, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  static constexpr bool uses_index = false;
  T across[3];  ///< by what a flux in each dimension is larger than one in x

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Cell& cell) const {
    T out = across[0] * (flux(cell, -1, 0, 0) + flux(cell, 1, 0, 0)) +
            across[1] * (flux(cell, 0, -1, 0) + flux(cell, 0, 1, 0));
    if constexpr (Dims == 3) out += across[2] * (flux(cell, 0, 0, -1) + flux(cell, 0, 0, 1));
    return cell(0) + out;
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION static T flux(const Cell& cell, int x, int y, int z) {
    return (cell.constant(0) + cell.constant(0, x, y, z)) * (cell(0) - cell(0, x, y, z));
  }
};

/// The same in a uniform flow: u - dt div(k grad u) + dt v . grad u, by upwind differences. What `before` and
/// `behind` are multiplied with is the difference from the lower and the higher neighbour; the flow comes
/// from one of them, and the number of the other is 0. Not symmetric, and so a rule of its own.
template <class T, int Dims>
struct BackwardEulerInFlow : BackwardEuler<T, Dims> {
  T before[3], behind[3];  ///< cells that the flow crosses in a step

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Cell& cell) const {
    T carried = before[0] * (cell(0) - cell(0, -1, 0)) + behind[0] * (cell(0) - cell(0, 1, 0)) +
                before[1] * (cell(0) - cell(0, 0, -1)) + behind[1] * (cell(0) - cell(0, 0, 1));
    if constexpr (Dims == 3)
      carried += before[2] * (cell(0) - cell(0, 0, 0, -1)) + behind[2] * (cell(0) - cell(0, 0, 0, 1));
    return BackwardEuler<T, Dims>::operator()(cell) + carried;
  }
};

}  // namespace haloheap

#endif
