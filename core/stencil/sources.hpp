// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SOURCES_HPP
#define HALOHEAP_CORE_STENCIL_SOURCES_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/grid/box.hpp>

#include <Kokkos_Core.hpp>

/// Sources for update rules: what is added in one cell or in a box of cells of the whole grid, by the number
/// of the step. They are plain data, as members of a rule, which has `uses_step = true`:
///
///     stencil::PointSource<float, 2> source;
///     ...
///     const float next = 2 * cell(now) - cell(before) + number * laplacian(cell) + source(cell);
///
/// There are no branches in them.
namespace haloheap::stencil {

/// One cell of the whole grid.
template <int Dims>
struct Point {
  int place[Dims];

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION bool contains(const Cell& cell) const {
    bool here = cell.index(1) == place[1];
    if constexpr (Dims == 3) here = here && cell.index(2) == place[2];
    return here && cell.index(0) == place[0];
  }
};

/// A box of cells of the whole grid, which does not wrap around: from `low` to before `high`.
template <int Dims>
struct Region {
  int low[Dims], high[Dims];

  Region() = default;
  explicit Region(const grid::Box& box) {
    for (int dim = 0; dim < Dims; ++dim) {
      low[dim] = static_cast<int>(box.lo[dim]);
      high[dim] = static_cast<int>(box.hi[dim]);
    }
  }

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION bool contains(const Cell& cell) const {
    bool here = true;
    HALOHEAP_UNROLL
    for (int dim = 0; dim < Dims; ++dim)
      here = here && cell.index(dim) >= low[dim] && cell.index(dim) < high[dim];
    return here;
  }
};

/// A value for each step, in memory that kernels reach; the last one stands for all steps that follow.
template <class T>
struct Samples {
  const T* values;
  grid::Index count;  ///< at least 1

  KOKKOS_FORCEINLINE_FUNCTION T at(grid::Index step) const { return values[Kokkos::min(step, count - 1)]; }
};

/// @tparam Where Point or Region
template <class T, class Where>
struct Source {
  Where where;
  Samples<T> samples;

  /// What it adds to this cell in this step: 0 elsewhere.
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Cell& cell) const {
    const T sample = samples.at(cell.step());
    return where.contains(cell) ? sample : T{0};
  }
};

template <class T, int Dims>
using PointSource = Source<T, Point<Dims>>;
template <class T, int Dims>
using RegionSource = Source<T, Region<Dims>>;

}  // namespace haloheap::stencil

#endif
