// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SWEEP_KERNELS_HPP
#define HALOHEAP_CORE_STENCIL_SWEEP_KERNELS_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/grid/box_list.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/residual_row.hpp>
#include <haloheap/core/stencil/stencil_points.hpp>

namespace haloheap::stencil::detail {

/// Reads neighbours through memory.
template <class T>
struct NeighboursInMemory {
  const T* cell;
  grid::Index pitch, plane;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(grid::Index dx, grid::Index dy, grid::Index dz) const {
    return cell[dx + dy * pitch + dz * plane];
  }
};

/// One cell a thread. Any box, any stencil: used for thin boxes and wherever no better kernel exists.
template <class T, class Points, class Residual = NoResidual>
struct CellSweep {
  const T* in;
  T* out;
  grid::FieldLayout layout;
  Coefficients<T, Points> coefficients;
  grid::BoxList boxes;
  Residual residual;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const grid::Index cells = boxes.cells();
    const int quantity = static_cast<int>(i / cells);
    const grid::Triple cell = boxes.cell(i - quantity * cells);
    const grid::Index at = layout.at(cell, quantity);
    const T result = weighted_sum(coefficients, NeighboursInMemory<T>{in + at, layout.pitch, layout.plane});
    out[at] = result;
    if constexpr (Residual::counts)
      if (residual.counts_cell(cell)) {
        ResidualSums<Residual> sums(residual);
        sums.add(result, in[at]);
        sums.put(i, residual);
      }
  }
};

/// One row of cells an iteration, for host threads: the compiler vectorises the loop over x.
template <class T, class Points, class Residual = NoResidual>
struct RowSweep {
  const T* in;
  T* out;
  grid::FieldLayout layout;
  Coefficients<T, Points> coefficients;
  grid::Box box;
  Residual residual;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const grid::Index rows = box.extent(1), planes = box.extent(2);
    const grid::Index y = i % rows, z = i / rows % planes;
    const grid::Index at =
        layout.at({box.lo.x, box.lo.y + y, box.lo.z + z}, static_cast<int>(i / rows / planes));
    if constexpr (Residual::counts)
      if (residual.counts_row(static_cast<int>(box.lo.y + y), static_cast<int>(box.lo.z + z))) {
        sweep_and_count(i, in + at, out + at);
        return;
      }
    sweep(in + at, out + at, box.extent(0), layout.pitch, layout.plane, coefficients);
  }

  // Piece by piece, so that the squares find their cells in the nearest cache.
  void sweep_and_count(grid::Index i, const T* from, T* to) const {
    constexpr grid::Index piece = 1024;
    ResidualRow lanes(residual, box.extent(0));
    for (grid::Index x = 0; x < box.extent(0); x += piece) {
      const grid::Index end = Kokkos::min(x + piece, box.extent(0));
      sweep(from + x, to + x, end - x, layout.pitch, layout.plane, coefficients);
      const grid::Index first = Kokkos::max(x, residual.lo[0] - box.lo.x),
                        last = Kokkos::min(end, residual.hi[0] - box.lo.x);
      if (first < last) lanes.add(to + first, from + first, last - first);
    }
    lanes.put(i, residual);
  }

  // A function of its own because `restrict` only counts on parameters.
  HALOHEAP_VECTOR_CLONES static void sweep(const T* KOKKOS_RESTRICT from, T* KOKKOS_RESTRICT to,
                                           grid::Index n, grid::Index pitch, grid::Index plane,
                                           const Coefficients<T, Points>& given) {
    const Coefficients<T, Points> c = given;
    for (grid::Index x = 0; x < n; ++x)
      to[x] = weighted_sum(c, NeighboursInMemory<T>{from + x, pitch, plane});
  }
};

}  // namespace haloheap::stencil::detail

#endif
