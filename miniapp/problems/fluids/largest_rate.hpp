// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_LARGEST_RATE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_LARGEST_RATE_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/miniapp/problems/fluids/gas.hpp>

#include <algorithm>
#include <vector>

namespace haloheap::fluids {

/// Gas::rate of all cells: a maximum, which is the same in any order.
template <class T>
struct LargestRate {
  Gas<T> gas;
  T cells_x, cells_y;  ///< of the unit length

  KOKKOS_FORCEINLINE_FUNCTION T of(T density, T momentum_x, T momentum_y, T energy) const {
    return gas.rate({{density, momentum_x, momentum_y, energy}}, cells_x, cells_y);
  }

  /// @param values on the host, field by field
  T over(const std::vector<T>& values, std::size_t cells) const {
    T largest = 0;
    for (std::size_t i = 0; i < cells; ++i)
      largest =
          std::max(largest, of(values[i], values[cells + i], values[2 * cells + i], values[3 * cells + i]));
    return largest;
  }
};

namespace detail {

template <class T>
struct LargestRateKernel {
  LargestRate<T> rate;
  const T* fields;
  grid::FieldLayout layout;

  KOKKOS_FUNCTION void operator()(grid::Index i, T& largest) const {
    const grid::Triple cell{i % layout.own.x, i / layout.own.x, 0};
    const auto value = [&](int field) { return fields[layout.at(cell, field)]; };
    largest = Kokkos::max(largest, rate.of(value(0), value(1), value(2), value(3)));
  }
};

}  // namespace detail

/// Of a device's own cells. Waits for the result.
template <class T>
T largest_rate(const backend::Exec& exec, const LargestRate<T>& rate, const grid::FieldLayout& layout,
               const T* fields) {
  using Policy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>>;
  T largest = 0;
  Kokkos::parallel_reduce("haloheap::fluids::largest_rate", Policy(exec, 0, layout.own.x * layout.own.y),
                          detail::LargestRateKernel<T>{rate, fields, layout}, Kokkos::Max<T>(largest));
  return largest;
}

}  // namespace haloheap::fluids

#endif
