// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_DRY_AIR_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_DRY_AIR_HPP

#include <haloheap/core/stencil/rule.hpp>
#include <haloheap/miniapp/problems/fluids/power_of_sum.hpp>

#include <Kokkos_Core.hpp>

#include <string_view>

/// Dry air as what it has besides air at rest, in kernels.
namespace haloheap::fluids {

/// Air at rest at a height.
template <class T>
struct RestingAir {
  T density, density_theta, pressure;

  /// Of three fields that no step changes, from number `first` on, of the cell or of one so many above.
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION static RestingAir of(const Cell& cell, int first, int up) {
    return {cell.constant(first, 0, up), cell.constant(first + 1, 0, up), cell.constant(first + 2, 0, up)};
  }
  /// Value by value, without a branch.
  KOKKOS_FORCEINLINE_FUNCTION static RestingAir choose(bool first, const RestingAir& a, const RestingAir& b) {
    return {first ? a.density : b.density, first ? a.density_theta : b.density_theta,
            first ? a.pressure : b.pressure};
  }
};

template <class T>
struct DryAir {
  enum { density, momentum_x, momentum_z, density_theta };
  /// With those that the three stages began with.
  static constexpr std::string_view names[8] = {
      "density",        "momentum_x",        "momentum_z",        "density_theta",
      "density_before", "momentum_x_before", "momentum_z_before", "density_theta_before"};
  PowerOfSum<T> power;  ///< pressure of density times potential temperature
  T viscosity;          ///< of differences of fourth order

  /// Through the face behind the second of four cells from number `at` on, across x or z, of fourth order,
  /// with hyperviscosity; times the ratio of time step and width. Nothing flows through a closed face.
  template <int Cells>
  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<T, 4> flux(const T (&s)[4][Cells], int at,
                                                         const RestingAir<T>& rest, bool in_x, bool closed,
                                                         T ratio) const {
    T value[4], third[4];
    HALOHEAP_UNROLL
    for (int k = 0; k < 4; ++k) {
      value[k] = (7 * (s[k][at + 1] + s[k][at + 2]) - (s[k][at] + s[k][at + 3])) / 12;
      third[k] = (s[k][at + 3] - s[k][at]) + 3 * (s[k][at + 1] - s[k][at + 2]);
    }
    third[density] = closed ? T{0} : third[density];
    const T dense = value[density] + rest.density;
    const T speed = closed ? T{0} : (in_x ? value[momentum_x] : value[momentum_z]) / dense;
    // That of the air at rest balances gravity in z, and is the same on both sides of a cell in x.
    const T pressure = rest.pressure * power.minus_one(value[density_theta] / rest.density_theta);
    const T physical[4] = {dense * speed, value[momentum_x] * speed + (in_x ? pressure : T{0}),
                           value[momentum_z] * speed + (in_x ? T{0} : pressure),
                           (value[density_theta] + rest.density_theta) * speed};
    stencil::Values<T, 4> result;
    HALOHEAP_UNROLL
    for (int k = 0; k < 4; ++k) result.value[k] = ratio * physical[k] + viscosity * third[k];
    return result;
  }
};

}  // namespace haloheap::fluids

#endif
