// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_FIELD_KERNELS_HPP
#define HALOHEAP_COMM_SOLVERS_FIELD_KERNELS_HPP

#include <haloheap/backend/accumulate.hpp>
#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/measure_kernel.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::comm::detail {

using stencil::MeasureKey;
using stencil::residual_parts;
using stencil::residual_slots;

/// Products that one kernel adds up at most.
inline constexpr int max_dots = 2;
/// Doubles from one slot to the next.
inline constexpr int dot_stride = stencil::detail::measure_slot_stride(max_dots);

/// What kernels add products to: see DotProducts.
struct DotTarget {
  stencil::SumScale scales[max_dots];
  double* slots = nullptr;
};

/// Goes through the own cells of a field, and adds up `Body::dots` products of each. On a host an iteration
/// has a row; on a device neighbouring threads have neighbouring columns, and some rows each, as what is done
/// once a thread costs more than a cell.
/// @tparam Body called with the place of a cell in the field; gives stencil::Values<double, dots>
template <class Body>
struct OwnCells {
  static constexpr int dots = Body::dots;
  static constexpr bool by_rows = backend::kernels_on_host;
  static constexpr grid::Index rows_a_thread = 8;
  static constexpr unsigned sharers = by_rows ? 1 : backend::warp_size;
  using Found = stencil::Values<double, (dots > 0 ? dots : 1)>;

  Body body;
  grid::FieldLayout layout;
  DotTarget target;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const grid::Index first = by_rows ? i : i / layout.own.x * rows_a_thread;
    grid::Triple cell{by_rows ? 0 : i % layout.own.x, first % layout.own.y, first / layout.own.y};
    grid::Index left = layout.own.x;
    if constexpr (!by_rows) {
      left = layout.own.y * layout.own.z - first;
      if (left > rows_a_thread) left = rows_a_thread;
    }
    double sums[dots > 0 ? dots : 1][residual_parts] = {};
    for (; left > 0; --left) {
      add(sums, cell);
      go_on(cell);
    }
    if constexpr (dots > 0) {
      double* const slot = target.slots + static_cast<unsigned>(i) / sharers % residual_slots * dot_stride;
      HALOHEAP_UNROLL
      for (int n = 0; n < dots; ++n) backend::accumulate(slot + n * residual_parts, sums[n]);
    }
  }

  template <class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void add(Sums& sums, const grid::Triple& cell) const {
    if constexpr (dots == 0) {
      body(cell, layout.at(cell));
    } else {
      const Found found = body(cell, layout.at(cell));
      HALOHEAP_UNROLL
      for (int n = 0; n < dots; ++n) stencil::detail::add_split(sums[n], target.scales[n], found.value[n]);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void go_on(grid::Triple& cell) const {
    if constexpr (by_rows) {
      ++cell.x;
    } else {
      ++cell.y;
      const bool last = cell.y == layout.own.y;
      cell.y = last ? 0 : cell.y;
      cell.z += last ? 1 : 0;
    }
  }

  grid::Index iterations() const {
    const grid::Index rows = layout.own.y * layout.own.z;
    if (layout.own.x <= 0 || rows <= 0) return 0;
    return by_rows ? rows : layout.own.x * ((rows + rows_a_thread - 1) / rows_a_thread);
  }
};

/// Enqueues it.
template <class Body>
void for_own_cells(const backend::Exec& exec, const char* label, const grid::FieldLayout& layout,
                   const Body& body, const DotTarget& target = {}) {
  using Policy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>>;
  const OwnCells<Body> kernel{body, layout, target};
  if (kernel.iterations() == 0) return;
  backend::parallel_for(label, backend::as_kernel_argument(Policy(exec, 0, kernel.iterations())), kernel);
}

template <class T>
struct SetAll {
  T* values;
  T value;
  KOKKOS_FUNCTION void operator()(grid::Index i) const { values[i] = value; }
};

/// Enqueues it: ghost cells, too.
template <class T>
void set_all(const backend::Exec& exec, T* field, const grid::FieldLayout& layout, T value) {
  using Policy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>>;
  backend::parallel_for("haloheap::comm::set_all",
                        backend::as_kernel_argument(Policy(exec, 0, layout.size())), SetAll<T>{field, value});
}

// z = M r, cell by cell, where M is the identity, a diagonal or a number.

template <class T>
struct Unscaled {
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T* r, grid::Index at) const { return r[at]; }
};
template <class T>
struct ScaledByField {
  const T* diagonal;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T* r, grid::Index at) const { return diagonal[at] * r[at]; }
};
template <class T>
struct ScaledBy {
  T factor;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T* r, grid::Index at) const { return factor * r[at]; }
};

/// x += alpha p, r -= alpha w; adds r'r and r'z.
template <class T, class Scaling>
struct UpdateSolution {
  static constexpr int dots = 2;
  T *x, *r;
  const T *p, *w;
  Scaling scaling;
  T alpha;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 2> operator()(const grid::Triple& /*cell*/,
                                                                    grid::Index at) const {
    x[at] += alpha * p[at];
    const T rest = r[at] - alpha * w[at];
    r[at] = rest;
    const auto wide = static_cast<double>(rest);
    return {{wide * wide, wide * static_cast<double>(scaling(r, at))}};
  }
};

/// Adds r'r and r'z.
template <class T, class Scaling>
struct ResidualProducts {
  static constexpr int dots = 2;
  const T* r;
  Scaling scaling;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 2> operator()(const grid::Triple& /*cell*/,
                                                                    grid::Index at) const {
    const auto wide = static_cast<double>(r[at]);
    return {{wide * wide, wide * static_cast<double>(scaling(r, at))}};
  }
};

/// Adds a'b.
template <class T>
struct Product {
  static constexpr int dots = 1;
  const T *a, *b;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 1> operator()(const grid::Triple& /*cell*/,
                                                                    grid::Index at) const {
    return {{static_cast<double>(a[at]) * static_cast<double>(b[at])}};
  }
};

/// The largest magnitude of what a body would add as its products.
template <class Body>
struct LargestProduct {
  static constexpr int dots = 0;
  Body body;
  MeasureKey* largest;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    const auto found = body(cell, at);
    double most = 0;
    HALOHEAP_UNROLL
    for (int n = 0; n < Body::dots; ++n) {
      const double size = Kokkos::abs(found.value[n]);
      most = size <= most ? most : size;  // also if it is not a number
    }
    backend::accumulate_max(largest, stencil::detail::key_of(most));
  }
};

}  // namespace haloheap::comm::detail

#endif
