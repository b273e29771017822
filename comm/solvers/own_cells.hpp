// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_OWN_CELLS_HPP
#define HALOHEAP_COMM_SOLVERS_OWN_CELLS_HPP

#include <haloheap/backend/accumulate.hpp>
#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/backend/vector_loop.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/measure_kernel.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::comm::detail {

using stencil::MeasureKey;
using stencil::residual_parts;
using stencil::residual_slots;

/// Products that kernels of most solvers add up at most.
inline constexpr int max_dots = 3;

/// What kernels add up to `Room` products to: see DotProducts and GramMatrix.
template <int Room>
struct DotTargetOf {
  static constexpr int room = Room;
  /// Doubles from one slot to the next.
  static constexpr int stride = stencil::detail::measure_slot_stride(Room);

  stencil::SumScale scales[Room];
  double* slots = nullptr;
};
using DotTarget = DotTargetOf<max_dots>;
/// With room for the products of a body.
template <class Body>
using DotTargetFor = DotTargetOf<(Body::dots > max_dots ? Body::dots : max_dots)>;

/// Into how many parts products are split: all, but for bodies that say how many they need. Those give
/// products that are within their bounds, or no numbers.
template <class Body>
struct SplitOf {
  static constexpr int parts = residual_parts;
  static constexpr bool checked = true;
};
template <class Body>
requires requires {
  Body::parts;
}
struct SplitOf<Body> {
  static constexpr int parts = Body::parts;
  static constexpr bool checked = false;
};

/// Bodies in two halves: `read(cell, at)` reads, and `write(at, values)` writes and gives the products. A
/// compiler must not read for a cell what the one before may have written; so cells read first, then all
/// write.
template <class Body>
concept TwoHalves = requires {
  typename Body::Values;
};

/// @returns the products, if there are any
template <class Body>
KOKKOS_FORCEINLINE_FUNCTION auto run_cell(const Body& body, const grid::Triple& cell, grid::Index at) {
  if constexpr (TwoHalves<Body>)
    return body.write(at, body.read(cell, at));
  else
    return body(cell, at);
}

/// What one thread has added up of `Dots` products.
template <int Dots>
struct DotSums {
  double parts[Dots > 0 ? Dots : 1][residual_parts] = {};

  template <class Target>
  KOKKOS_FORCEINLINE_FUNCTION void put(const Target& target, unsigned slot) const {
    double* const at = target.slots + slot % residual_slots * Target::stride;
    HALOHEAP_UNROLL
    for (int n = 0; n < Dots; ++n) backend::accumulate(at + n * residual_parts, parts[n]);
  }
};

/// Cells of a row that a host does at once.
inline constexpr int row_piece = 64;

/// Bodies without products that have `row(cell, at, count)`, which hosts call instead: it does `count`
/// neighbouring cells from `cell` on, row_piece at most, where much of the work is the same for all of them.
template <class Body>
concept RowBody = Body::dots == 0 &&
                  requires(const Body& body, const grid::Triple& cell, grid::Index at, int count) {
  body.row(cell, at, count);
};

/// A row of cells on a host: several at once, in vector registers.
template <class Body>
struct CellRow {
  static constexpr int dots = Body::dots;
  static constexpr int piece = row_piece;

  HALOHEAP_VECTOR_CLONES static void run(const Body body, const DotTargetFor<Body>& target,
                                         const grid::Triple first, const grid::Index at,
                                         const grid::Index cells, DotSums<dots>& sums) {
    Sum found[dots > 0 ? dots : 1] = {};
    for (grid::Index begin = 0; begin < cells; begin += piece) {
      const int count = static_cast<int>(cells - begin < piece ? cells - begin : piece);
      const grid::Triple cell{first.x + begin, first.y, first.z};
      if constexpr (RowBody<Body>) {
        body.row(cell, at + begin, count);
      } else if constexpr (dots == 0) {
        HALOHEAP_INDEPENDENT
        for (int i = 0; i < count; ++i)
          run_cell(body, grid::Triple{cell.x + i, cell.y, cell.z}, at + begin + i);
      } else {
        double products[dots][piece];
        multiply(body, cell, at + begin, count, products);
        for (int n = 0; n < dots; ++n) add(products[n], target.scales[n], found[n]);
      }
    }
    for (int n = 0; n < dots; ++n) add_places(found[n], sums.parts[n]);
  }

 private:
  static constexpr int parts = SplitOf<Body>::parts;
  static constexpr bool checked = SplitOf<Body>::checked;

  /// What has been added up of one product, place by place.
  struct Sum {
    double parts[CellRow::parts][piece], beyond[checked ? piece : 1];
  };

  static void multiply(const Body& body, const grid::Triple& cell, grid::Index at, int count,
                       double (&products)[dots > 0 ? dots : 1][piece]) {
    if constexpr (requires { body.row(products, at, count); }) {
      body.row(products, at, count);
    } else {
      HALOHEAP_INDEPENDENT
      for (int i = 0; i < count; ++i) {
        const auto found = run_cell(body, grid::Triple{cell.x + i, cell.y, cell.z}, at + i);
        for (int n = 0; n < dots; ++n) products[n][i] = found.value[n];
      }
    }
    for (int n = 0; n < dots; ++n)
      for (int i = count; i < piece; ++i) products[n][i] = 0;
  }
  /// As OwnCells::add, which finds a value beyond the bound one by one. Parts are multiples of one quantum,
  /// and their sum is the same in any order.
  static void add(const double (&values)[piece], const stencil::SumScale& scale, Sum& sum) {
    HALOHEAP_INDEPENDENT
    for (int i = 0; i < piece; ++i) {
      double rest = values[i];
      if constexpr (checked) sum.beyond[i] += Kokkos::abs(rest) <= scale.bound ? 0.0 : 1.0;
      for (int part = 0; part < parts; ++part) {
        const double share = (rest + scale.pivot[part]) - scale.pivot[part];
        sum.parts[part][i] += share;
        rest -= share;
      }
    }
  }
  static double total(double (&values)[piece]) {
    for (int width = piece / 2; width > 0; width /= 2)
      for (int i = 0; i < width; ++i) values[i] += values[i + width];
    return values[0];
  }
  static void add_places(Sum& sum, double (&sums)[residual_parts]) {
    for (int part = 0; part < parts; ++part) sums[part] += total(sum.parts[part]);
    if constexpr (checked)
      if (total(sum.beyond) > 0) sums[0] = Kokkos::Experimental::quiet_NaN_v<double>;
  }
};

/// Goes through the own cells of a field, and adds up `Body::dots` products of each. On a host an iteration
/// has a row; on a device neighbouring threads have neighbouring columns, and some rows each, as what is done
/// once a thread costs more than a cell. Where there are not enough cells for all threads of a device, each
/// has one, unless their products are to be added up.
/// @tparam Body called with a cell and its place in the field; gives stencil::Values<double, dots>, or
/// nothing for 0. It must read nothing that it writes for another cell.
template <class Body>
struct OwnCells {
  static constexpr int dots = Body::dots;
  static constexpr bool by_rows = backend::kernels_on_host;
  static constexpr grid::Index most_rows = dots > max_dots ? 8 : 4;
  static constexpr grid::Index many_cells = 1 << 18;
  static constexpr unsigned sharers = by_rows ? 1 : backend::warp_size;

  Body body;
  grid::FieldLayout layout;
  DotTargetFor<Body> target;
  grid::Index rows_a_thread;

  OwnCells(const Body& given, const grid::FieldLayout& of, const DotTargetFor<Body>& to)
      : body(given), layout(of), target(to), rows_a_thread(most_rows) {
    if (dots == 0) rows_a_thread = Kokkos::clamp(product(of.own) / many_cells, grid::Index{1}, most_rows);
  }

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    DotSums<dots> sums;
    if constexpr (by_rows) {
      const grid::Triple first{0, i % layout.own.y, i / layout.own.y};
      CellRow<Body>::run(body, target, first, layout.at(first), layout.own.x, sums);
    } else {
      go_through_rows(i, sums);
    }
    if constexpr (dots > 0) sums.put(target, static_cast<unsigned>(i) / sharers);
  }

  KOKKOS_FORCEINLINE_FUNCTION void go_through_rows(grid::Index i, DotSums<dots>& sums) const {
    const grid::Index first = i / layout.own.x * rows_a_thread;
    grid::Triple cell{i % layout.own.x, first % layout.own.y, first / layout.own.y};
    grid::Index left = layout.own.y * layout.own.z - first;
    if (left > rows_a_thread) left = rows_a_thread;
    if constexpr (TwoHalves<Body>) {
      constexpr int together = Body::rows_at_once;
      for (; left > 0; left -= together) {
        grid::Index at[together];
        typename Body::Values values[together];
        HALOHEAP_UNROLL
        for (int k = 0; k < together; ++k) {
          at[k] = layout.at(cell);
          values[k] = body.read(cell, at[k]);
          if (k + 1 < left) next_row(cell);
        }
        HALOHEAP_UNROLL
        for (int k = 0; k < together; ++k)
          if (k < left) run([&] { return body.write(at[k], values[k]); }, sums);
      }
    } else {
      for (; left > 0; --left) {
        run([&] { return body(cell, layout.at(cell)); }, sums);
        next_row(cell);
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void next_row(grid::Triple& cell) const {
    ++cell.y;
    const bool last = cell.y == layout.own.y;
    cell.y = last ? 0 : cell.y;
    cell.z += last ? 1 : 0;
  }
  template <class Work>
  KOKKOS_FORCEINLINE_FUNCTION void run(const Work& work, DotSums<dots>& sums) const {
    if constexpr (dots == 0) {
      work();
    } else {
      const auto found = work();
      HALOHEAP_UNROLL
      for (int n = 0; n < dots; ++n) add(sums.parts[n], target.scales[n], found.value[n]);
    }
  }

  /// Adds parts of a value, each a multiple of its quantum. It is split by numbers that are the same for all,
  /// and not by the sums so far, so that no more than the last part is rounded.
  KOKKOS_FORCEINLINE_FUNCTION static void add(double (&sums)[residual_parts], const stencil::SumScale& scale,
                                              double value) {
    if constexpr (SplitOf<Body>::checked)
      value = Kokkos::abs(value) <= scale.bound ? value : Kokkos::Experimental::quiet_NaN_v<double>;
    HALOHEAP_UNROLL
    for (int i = 0; i < SplitOf<Body>::parts; ++i) {
      const double part = (value + scale.pivot[i]) - scale.pivot[i];
      sums[i] += part;
      value -= part;
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
                   const Body& body, const DotTargetFor<Body>& target = {}) {
  using Policy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>>;
  const OwnCells<Body> kernel(body, layout, target);
  if (kernel.iterations() == 0) return;
  backend::parallel_for(label, backend::as_kernel_argument(Policy(exec, 0, kernel.iterations())), kernel);
}

}  // namespace haloheap::comm::detail

#endif
