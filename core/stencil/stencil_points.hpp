// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_STENCIL_POINTS_HPP
#define HALOHEAP_CORE_STENCIL_STENCIL_POINTS_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/stencil/ring_tiling.hpp>
#include <haloheap/core/stencil/rule.hpp>
#include <haloheap/core/stencil/stencil.hpp>

#include <Kokkos_Core.hpp>

#include <utility>

namespace haloheap::stencil::detail {

/// The offsets of one stencil at compile time, in the same order as Stencil::offsets().
template <int Dims, StencilShape Shape, int Radius>
struct StencilPoints {
  static constexpr int dims = Dims;
  static constexpr int radius = Radius;
  static constexpr StencilShape shape = Shape;
  static constexpr bool star = Shape == StencilShape::star;
  static constexpr int side = 2 * Radius + 1;
  static constexpr int count = star ? 1 + 2 * Radius * Dims : (Dims == 3 ? side * side * side : side * side);

  /// Offset number `i`; only for constant evaluation.
  KOKKOS_FUNCTION static constexpr grid::Triple offset(int i) {
    constexpr int planes = Dims == 3 ? side : 1, middle = Dims == 3 ? Radius : 0;
    int seen = 0;
    for (int z = 0; z < planes; ++z)
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
          const int off_axis = (x != Radius) + (y != Radius) + (z != middle);
          if (star && off_axis > 1) continue;
          if (seen++ == i) return {x - Radius, y - Radius, z - middle};
        }
    return {};
  }
};

/// Steps that one pass of a device makes at most: 1 if it has no such kernel.
template <class Points>
inline constexpr int device_steps =
    find_stencil(Points::shape, Points::radius)->device_steps[Points::dims - 2];

/// Coefficients in the field's precision, by value in the kernels.
template <class T, class Points>
struct Coefficients {
  T value[Points::count];

  explicit Coefficients(const Stencil& stencil) {
    for (int i = 0; i < Points::count; ++i) value[i] = static_cast<T>(stencil.coefficients[i]);
  }
};

template <class T, class Points, class Values, int... I>
KOKKOS_FORCEINLINE_FUNCTION T add_terms(const Coefficients<T, Points>& c, const Values& values, T sum,
                                        std::integer_sequence<int, I...>) {
  // One statement a term: the order of additions is part of the interface.
  ((sum = Kokkos::fma(c.value[I + 1],
                      values(std::integral_constant<grid::Index, Points::offset(I + 1).x>::value,
                             std::integral_constant<grid::Index, Points::offset(I + 1).y>::value,
                             std::integral_constant<grid::Index, Points::offset(I + 1).z>::value),
                      sum)),
   ...);
  return sum;
}

/// weighted_sum for those who have its first term.
template <class T, class Points, class Values>
KOKKOS_FORCEINLINE_FUNCTION T add_terms(const Coefficients<T, Points>& c, const Values& values,
                                        T first_term) {
  return add_terms(c, values, first_term, std::make_integer_sequence<int, Points::count - 1>());
}

/// sum_i c_i * values(dx_i, dy_i, dz_i) in the order of the offsets; every term but the first is rounded
/// once, with its sum.
template <class T, class Points, class Values>
KOKKOS_FORCEINLINE_FUNCTION T weighted_sum(const Coefficients<T, Points>& c, const Values& values) {
  constexpr grid::Triple first = Points::offset(0);
  return add_terms(c, values, c.value[0] * values(first.x, first.y, first.z));
}

/// The update rule of a stencil with constant coefficients.
template <class T, class Points>
struct Linear {
  using Fields = stencil::Fields<T>;
  static constexpr int dims = Points::dims;
  static constexpr int radius = Points::radius;
  static constexpr StencilShape shape = Points::shape;
  static constexpr bool plain_sides = true, uses_index = false;
  static constexpr int max_fused_steps = backend::kernels_on_host ? max_ring_steps : device_steps<Points>;
  static constexpr bool steps_are_measured = true;

  Coefficients<T, Points> coefficients;

  using Sum = T;  ///< of a box in three dimensions

  explicit Linear(const Stencil& stencil) : coefficients(stencil) {}

  template <class Below>
  KOKKOS_FORCEINLINE_FUNCTION T begin(const Below& below) const requires(Points::star) {
    static_assert(Points::offset(0)[dims - 1] == -radius);
    return coefficients.value[0] * below(0);
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T finish(const Cell& cell, T begun) const requires(Points::star) {
    return add_terms(coefficients, Around<Cell>{cell}, begun);
  }
  template <class Row>
  KOKKOS_FORCEINLINE_FUNCTION T add(const Row& row, int dy, int dz, T sum) const
      requires(!Points::star && dims == 3) {
    constexpr int side = 2 * radius + 1;
    const int first = ((dz + radius) * side + dy + radius) * side;
    HALOHEAP_UNROLL
    for (int i = 0; i < side; ++i) {
      const T factor = coefficients.value[first + i], value = row(0, i - radius);
      sum = first + i == 0 ? factor * value : Kokkos::fma(factor, value, sum);
    }
    return sum;
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T finish(const Cell& /*cell*/, T sum) const
      requires(!Points::star && dims == 3) {
    return sum;
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Cell& cell) const requires(!Points::star && dims == 2) {
    return weighted_sum(coefficients, Around<Cell>{cell});
  }

 private:
  template <class Cell>
  struct Around {
    const Cell& cell;
    KOKKOS_FORCEINLINE_FUNCTION T operator()(int dx, int dy, int dz) const { return cell(0, dx, dy, dz); }
  };
};

}  // namespace haloheap::stencil::detail

#endif
