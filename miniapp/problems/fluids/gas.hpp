// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_GAS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_GAS_HPP

#include <haloheap/backend/pragma.hpp>

#include <Kokkos_Core.hpp>

/// An ideal gas in two dimensions, in kernels and on the host: sums, products, quotients and square roots,
/// which have the same bits everywhere.
namespace haloheap::fluids {

/// Density, velocity and pressure; or density, momentum and energy, by volume.
template <class T>
struct State {
  T value[4];
};
enum Component { density, along_x, along_y, pressure, energy = pressure };

enum class Flux { rusanov, hll };
enum class Limiter { minmod, van_leer };

/// The slope of least variation that two neighbouring differences allow.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T limited(Limiter limiter, T low, T high) {
  const T both = low * high, smaller = Kokkos::abs(low) < Kokkos::abs(high) ? low : high;
  const T slope = limiter == Limiter::van_leer ? 2 * both / (low + high) : smaller;
  return both > 0 ? slope : T{0};
}

template <class T>
struct Gas {
  T gamma;
  Flux kind;

  KOKKOS_FORCEINLINE_FUNCTION State<T> primitive(const State<T>& conserved) const {
    const auto& [rho, momentum_x, momentum_y, total] = conserved.value;
    const T volume = 1 / rho, u = momentum_x * volume, v = momentum_y * volume;
    return {{rho, u, v, (gamma - 1) * (total - rho * (u * u + v * v) / 2)}};
  }
  KOKKOS_FORCEINLINE_FUNCTION State<T> conserved(const State<T>& primitive) const {
    const auto& [rho, u, v, p] = primitive.value;
    return {{rho, rho * u, rho * v, p / (gamma - 1) + rho * (u * u + v * v) / 2}};
  }
  /// Of sound.
  KOKKOS_FORCEINLINE_FUNCTION T speed(const State<T>& primitive) const {
    return Kokkos::sqrt(gamma * primitive.value[pressure] / primitive.value[density]);
  }
  /// What leaves through a face across dimension `dim` of a gas in this state.
  KOKKOS_FORCEINLINE_FUNCTION State<T> flow(int dim, const State<T>& primitive, const State<T>& kept) const {
    const T through = primitive.value[along_x + dim], p = primitive.value[pressure];
    State<T> result{{through * kept.value[density], through * kept.value[along_x],
                     through * kept.value[along_y], through * (kept.value[energy] + p)}};
    result.value[along_x + dim] += p;
    return result;
  }

  /// The numerical flux between two states, with two waves ([Toro2009], sections 10.3 and 10.5.1): those of
  /// [Harten1983] with Davis' speeds, or one speed to both sides (Rusanov).
  KOKKOS_FORCEINLINE_FUNCTION State<T> flux(int dim, const State<T>& left, const State<T>& right) const {
    const T u_left = left.value[along_x + dim], u_right = right.value[along_x + dim];
    const T c_left = speed(left), c_right = speed(right);
    T low = Kokkos::min(Kokkos::min(u_left - c_left, u_right - c_right), T{0});
    T high = Kokkos::max(Kokkos::max(u_left + c_left, u_right + c_right), T{0});
    if (kind == Flux::rusanov) {
      high = Kokkos::max(high, -low);
      low = -high;
    }
    const T share = 1 / (high - low);
    const State<T> kept_left = conserved(left), kept_right = conserved(right);
    const State<T> flow_left = flow(dim, left, kept_left), flow_right = flow(dim, right, kept_right);
    State<T> result;
    HALOHEAP_UNROLL
    for (int i = 0; i < 4; ++i)
      result.value[i] = share * (high * flow_left.value[i] - low * flow_right.value[i] +
                                 low * high * (kept_right.value[i] - kept_left.value[i]));
    return result;
  }

  /// Cells that the fastest waves cross in a unit of time, in x and in y together; the largest number for
  /// what is no gas.
  KOKKOS_FORCEINLINE_FUNCTION T rate(const State<T>& conserved, T cells_x, T cells_y) const {
    constexpr T none = Kokkos::Experimental::finite_max_v<T>;
    const State<T> w = primitive(conserved);
    const T c = speed(w);
    const T result =
        (Kokkos::abs(w.value[along_x]) + c) * cells_x + (Kokkos::abs(w.value[along_y]) + c) * cells_y;
    return result < none ? result : none;
  }
};

}  // namespace haloheap::fluids

#endif
