// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_HALO_COMPARED_STEPS_HPP
#define HALOHEAP_UNIT_COMM_HALO_COMPARED_STEPS_HPP

#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/core/base/stopwatch.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace haloheap::comm {

/// As a user would write the stencil of examples/diffusion.cpp, for values of any type.
template <class T, int Dims>
struct Star {
  using Fields = stencil::Fields<T>;
  static constexpr int dims = Dims, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  static constexpr double exact_number = 0.8 / (2 * Dims), exact_center = 1 - 2 * Dims * exact_number;
  T number = static_cast<T>(exact_number), center = static_cast<T>(exact_center);

  static stencil::Stencil stencil() {
    std::vector<double> weights(2 * Dims + 1, exact_number);
    weights[Dims] = exact_center;
    return stencil::custom_stencil(Dims, shape, 1, weights);
  }

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Cell& cell) const {
    if constexpr (Dims == 3)
      return with_others(cell, number * cell(0, 0, 0, -1));
    else
      return with_others(cell, number * cell(0, 0, -1));
  }

  /// The terms after the first in the order of Stencil, each added by one rounding, so that the bits are its
  /// own.
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T with_others(const Cell& cell, T sum) const {
    if constexpr (Dims == 3) sum = Kokkos::fma(number, cell(0, 0, -1), sum);
    sum = Kokkos::fma(number, cell(0, -1, 0), sum);
    sum = Kokkos::fma(center, cell(0), sum);
    sum = Kokkos::fma(number, cell(0, 1, 0), sum);
    sum = Kokkos::fma(number, cell(0, 0, 1), sum);
    if constexpr (Dims == 3) sum = Kokkos::fma(number, cell(0, 0, 0, 1), sum);
    return sum;
  }
};

/// The same in two parts.
template <class T, int Dims>
struct StarInParts {
  using Fields = stencil::Fields<T>;
  static constexpr int dims = Dims, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  Star<T, Dims> whole = {};

  template <class Below>
  KOKKOS_FORCEINLINE_FUNCTION T begin(const Below& below) const {
    return whole.number * below(0);
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T finish(const Cell& cell, T sum) const {
    return whole.with_others(cell, sum);
  }
};

/// The neighbourhood of 27 cells, smoothed in each dimension.
template <class T>
struct Box {
  using Fields = stencil::Fields<T>;
  static constexpr int dims = 3, radius = 1;
  static constexpr bool plain_sides = true, uses_index = false;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr T weight(int dx, int dy, int dz) {
    return static_cast<T>((2 - dx * dx) * (2 - dy * dy) * (2 - dz * dz)) / 64;
  }
  static stencil::Stencil stencil() {
    std::vector<double> weights;
    for (int i = 0; i < 27; ++i) weights.push_back(weight(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
    return stencil::custom_stencil(3, stencil::StencilShape::box, 1, weights);
  }

  /// In the order of Stencil, as above.
  template <class Row>
  KOKKOS_FORCEINLINE_FUNCTION static T with_row(const Row& row, int dy, int dz, T sum) {
    HALOHEAP_UNROLL
    for (int dx = -1; dx <= 1; ++dx)
      sum = dx + dy + dz == -3 ? weight(dx, dy, dz) * row(0, dx)
                               : Kokkos::fma(weight(dx, dy, dz), row(0, dx), sum);
    return sum;
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Cell& cell) const {
    T sum{};
    HALOHEAP_UNROLL
    for (int dz = -1; dz <= 1; ++dz) {
      HALOHEAP_UNROLL
      for (int dy = -1; dy <= 1; ++dy)
        sum = with_row([&](int field, int dx) { return cell(field, dx, dy, dz); }, dy, dz, sum);
    }
    return sum;
  }
};

/// The same in rows.
template <class T>
struct BoxInRows {
  using Fields = stencil::Fields<T>;
  static constexpr int dims = 3, radius = 1;
  static constexpr bool plain_sides = true, uses_index = false;
  using Sum = T;

  template <class Row>
  KOKKOS_FORCEINLINE_FUNCTION T add(const Row& row, int dy, int dz, T sum) const {
    return Box<T>::with_row(row, dy, dz, sum);
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T finish(const Cell& /*cell*/, T sum) const {
    return sum;
  }
};

/// Values from 0 to 1 that look drawn.
template <class T>
std::vector<T> compared_start(const grid::FieldLayout& layout) {
  std::vector<T> values(static_cast<std::size_t>(layout.size()));
  std::uint32_t bits = 1;
  for (T& value : values) value = static_cast<T>((bits = bits * 1664525U + 1013904223U) >> 8) / (1 << 24);
  return values;
}

/// Cells of a grid of so many that are updated a second, in units of 1e9.
template <class Steps>
double rate(Steps& steps, grid::Index count, grid::Index cells) {
  steps.finish();
  const double begin = base::steady_seconds();
  steps.advance(count);
  steps.finish();
  return static_cast<double>(count) * static_cast<double>(cells) / (base::steady_seconds() - begin) * 1e-9;
}

/// Steps that take about so long, a multiple of `unit`.
template <class Steps>
grid::Index steps_of(double seconds, Steps& steps, grid::Index unit, grid::Index cells) {
  const double one =
      static_cast<double>(unit) * static_cast<double>(cells) / (rate(steps, unit, cells) * 1e9);
  return std::max<grid::Index>(1, static_cast<grid::Index>(seconds / one)) * unit;
}

/// The program of a comparison: NAME [cells in a dimension, 16384] [milliseconds of a run, 500] [cells in
/// each of three, 512]. Calls `compare.operator()<T, Dims>(communicator, grid, seconds, fused_steps)`.
template <class Compare>
int compare_steps(int argc, char** argv, const Compare& compare) {
  MPI_Init(&argc, &argv);
  {
    const Kokkos::ScopeGuard guard(argc, argv);
    const Communicator world(MPI_COMM_WORLD);
    const long cells = argc > 1 ? std::atol(argv[1]) : 16384;
    const double seconds = (argc > 2 ? std::atof(argv[2]) : 500) * 1e-3;
    const long cells_3d = argc > 3 ? std::atol(argv[3]) : 512;
    const Grid plane = Grid::make(world, {cells, cells}),
               space = Grid::make(world, {cells_3d, cells_3d, cells_3d});
    const auto of_type = [&]<class T>(T /*value*/) {
      for (const int fused : {1, 2, 4, 8}) compare.template operator()<T, 2>(world, plane, seconds, fused);
      for (const int fused : {1, 2, 4}) compare.template operator()<T, 3>(world, space, seconds, fused);
    };
    of_type(float{});
    of_type(double{});
  }
  MPI_Finalize();
  return 0;
}

}  // namespace haloheap::comm

#endif
