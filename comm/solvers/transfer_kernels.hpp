// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_TRANSFER_KERNELS_HPP
#define HALOHEAP_COMM_SOLVERS_TRANSFER_KERNELS_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/backend/vector_loop.hpp>
#include <haloheap/comm/solvers/colours.hpp>
#include <haloheap/comm/solvers/grid_transfer.hpp>
#include <haloheap/comm/solvers/own_cells.hpp>

#include <algorithm>

/// Bodies for OwnCells that go from one grid of a multigrid method to another. Of finite values each gives
/// the same bits cell by cell, as on a device, and row by row, as on a host.
namespace haloheap::comm::detail {

/// coarse = P' fine.
/// @tparam Children at least as many as a coarse cell has in a dimension
template <class T, int Children>
struct Restrict {
  static constexpr int dots = 0, rows_at_once = 1;
  Coarsening coarsening;
  PlacedField<const T> fine;
  PlacedField<T> coarse;

  using Values = T;
  KOKKOS_FORCEINLINE_FUNCTION T read(const grid::Triple& cell, grid::Index /*at*/) const {
    const grid::Triple of{coarse.first.x + cell.x, coarse.first.y + cell.y, coarse.first.z + cell.z};
    if constexpr (Children <= 3)
      return near_sum(of);
    else
      return any_sum(of);
  }
  KOKKOS_FORCEINLINE_FUNCTION void write(grid::Index at, T sum) const { coarse.data[at] = sum; }

  /// The same sums in the same order, of neighbouring cells side by side.
  void row(const grid::Triple& cell, grid::Index at, int count) const {
    double weights[Children][row_piece];
    weights_in_x(cell.x, count, weights);
    T sums[row_piece] = {};
    const grid::Index step = coarsening.halved[0] ? 2 : 1,
                      x = coarsening.first_child(0, coarse.first.x + cell.x) - fine.first.x;
    for_children(2, cell, [&](grid::Index z, double z_weight) {
      for_children(1, cell, [&](grid::Index y, double y_weight) {
        for (int i = 0; i < coarsening.children(0); ++i) {
          const T* const values = fine.data + fine.layout.at({x + i, y, z});
          HALOHEAP_INDEPENDENT
          for (int n = 0; n < count; ++n) {
            const double weight = weights[i][n] * y_weight * z_weight;
            sums[n] += weight != 0 ? static_cast<T>(weight) * values[n * step] : T{0};
          }
        }
      });
    });
    std::copy_n(sums, count, coarse.data + at);
  }

 private:
  /// A plane of values is read before they are added, so that their ways from memory overlap.
  KOKKOS_FORCEINLINE_FUNCTION T near_sum(const grid::Triple& of) const {
    const auto x = coarsening.near_children(0, of.x), y = coarsening.near_children(1, of.y),
               z = coarsening.near_children(2, of.z);
    const grid::Triple first{coarsening.first_child(0, of.x) - fine.first.x,
                             coarsening.first_child(1, of.y) - fine.first.y,
                             coarsening.first_child(2, of.z) - fine.first.z};
    T sum = 0;
    HALOHEAP_UNROLL
    for (int k = 0; k < 3; ++k) {
      if (k > 0 && z.weight[k] == 0) continue;
      T values[3][3];
      HALOHEAP_UNROLL
      for (int j = 0; j < 3; ++j) {
        const T* const row =
            fine.data + fine.layout.at({first.x, first.y + y.place[j], first.z + z.place[k]});
        HALOHEAP_UNROLL
        for (int i = 0; i < 3; ++i) values[j][i] = row[x.place[i]];
      }
      HALOHEAP_UNROLL
      for (int j = 0; j < 3; ++j) HALOHEAP_UNROLL
      for (int i = 0; i < 3; ++i)
        sum += static_cast<T>(x.weight[i] * y.weight[j] * z.weight[k]) * values[j][i];
    }
    return sum;
  }

  KOKKOS_FORCEINLINE_FUNCTION T any_sum(const grid::Triple& cell) const {
    double weights[3][Children];
    grid::Triple first;  // local
    HALOHEAP_UNROLL
    for (int dim = 0; dim < 3; ++dim) {
      const grid::Index of = cell[dim], child = coarsening.first_child(dim, of);
      HALOHEAP_UNROLL
      for (int i = 0; i < Children; ++i)
        weights[dim][i] = i < coarsening.children(dim) ? coarsening.weight(dim, child + i, of) : 0;
      first[dim] = child - fine.first[dim];
    }
    T sum = 0;
    HALOHEAP_UNROLL
    for (int k = 0; k < Children; ++k) HALOHEAP_UNROLL
    for (int j = 0; j < Children; ++j) HALOHEAP_UNROLL
    for (int i = 0; i < Children; ++i) {
      const double weight = weights[0][i] * weights[1][j] * weights[2][k];
      if (weight != 0)
        sum += static_cast<T>(weight) * fine.data[fine.layout.at({first.x + i, first.y + j, first.z + k})];
    }
    return sum;
  }

  void weights_in_x(grid::Index x, int count, double (&weights)[Children][row_piece]) const {
    for (int i = 0; i < coarsening.children(0); ++i)
      for (int n = 0; n < count; ++n) {
        const grid::Index of = coarse.first.x + x + n;
        const bool as_before = n > 0 && of > 1 && of + 1 < coarsening.coarse.x;
        weights[i][n] =
            as_before ? weights[i][n - 1] : coarsening.weight(0, coarsening.first_child(0, of) + i, of);
      }
  }
  /// Calls `visit` with the fine cells of a coarse one in one dimension, and with their weights but 0.
  template <class Visit>
  void for_children(int dim, const grid::Triple& cell, const Visit& visit) const {
    const grid::Index of = coarse.first[dim] + cell[dim], child = coarsening.first_child(dim, of);
    for (int i = 0; i < coarsening.children(dim); ++i)
      if (const double weight = coarsening.weight(dim, child + i, of); weight != 0)
        visit(child + i - fine.first[dim], weight);
  }
};

/// fine += P coarse.
/// @tparam Children at least as many as a coarse cell has in a dimension
template <class T, int Children>
struct AddInterpolated {
  static constexpr int dots = 0, rows_at_once = 1;
  Coarsening coarsening;
  PlacedField<const T> coarse;
  PlacedField<T> fine;

  using Values = T;
  KOKKOS_FORCEINLINE_FUNCTION T read(const grid::Triple& cell, grid::Index at) const {
    const grid::Triple of{fine.first.x + cell.x, fine.first.y + cell.y, fine.first.z + cell.z};
    const T own = fine.data[at];
    if constexpr (Children <= 3)
      return own + near_sum(of);
    else
      return own + any_sum(of);
  }
  KOKKOS_FORCEINLINE_FUNCTION void write(grid::Index at, T value) const { fine.data[at] = value; }

  /// The same sums in the same order, of neighbouring cells side by side.
  void row(const grid::Triple& cell, grid::Index at, int count) const {
    const Line line(*this, cell.x, count);
    const Parents y = coarsening.parents(1, fine.first.y + cell.y),
                  z = coarsening.parents(2, fine.first.z + cell.z);
    T sums[row_piece] = {};
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 2; ++j) {
        if (y.weight[j] == 0 || z.weight[k] == 0) continue;
        const T* const values =
            coarse.data + coarse.layout.at({0, y.coarse[j] - coarse.first.y, z.coarse[k] - coarse.first.z});
        // A parent whose weight is 0 is the other one once more.
        HALOHEAP_INDEPENDENT
        for (int n = 0; n < count; ++n)
          for (int i = 0; i < 2; ++i)
            sums[n] +=
                static_cast<T>(line.weights[i][n] * y.weight[j] * z.weight[k]) * values[line.parents[i][n]];
      }
    HALOHEAP_INDEPENDENT
    for (int n = 0; n < count; ++n) fine.data[at + n] += sums[n];
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION T near_sum(const grid::Triple& of) const {
    const auto x = coarsening.near_parents(0, static_cast<int>(of.x)),
               y = coarsening.near_parents(1, static_cast<int>(of.y)),
               z = coarsening.near_parents(2, static_cast<int>(of.z));
    const T* const first = coarse.data + coarse.layout.at({x.first - coarse.first.x, y.first - coarse.first.y,
                                                           z.first - coarse.first.z});
    const int behind = x.both ? 1 : 0;
    const auto weight = static_cast<T>(x.weight * y.weight * z.weight);
    const T weight_behind = x.both ? weight : T{0};
    T sum = 0;
    HALOHEAP_UNROLL
    for (int k = 0; k < 2; ++k) HALOHEAP_UNROLL
    for (int j = 0; j < 2; ++j) {
      if ((k > 0 && !z.both) || (j > 0 && !y.both)) continue;
      const T* const row = first + j * coarse.layout.pitch + k * coarse.layout.plane;
      const T here = row[0], other = row[behind];
      sum += weight * here;
      sum += weight_behind * other;
    }
    return sum;
  }

  KOKKOS_FORCEINLINE_FUNCTION T any_sum(const grid::Triple& of) const {
    const Parents x = coarsening.parents(0, of.x), y = coarsening.parents(1, of.y),
                  z = coarsening.parents(2, of.z);
    T sum = 0;
    HALOHEAP_UNROLL
    for (int k = 0; k < 2; ++k) HALOHEAP_UNROLL
    for (int j = 0; j < 2; ++j) HALOHEAP_UNROLL
    for (int i = 0; i < 2; ++i) {
      const double weight = x.weight[i] * y.weight[j] * z.weight[k];
      if (weight != 0)
        sum += static_cast<T>(weight) *
               coarse.data[coarse.layout.at({x.coarse[i] - coarse.first.x, y.coarse[j] - coarse.first.y,
                                             z.coarse[k] - coarse.first.z})];
    }
    return sum;
  }

  /// Parents in x of neighbouring cells, and their weights.
  struct Line {
    grid::Index parents[2][row_piece];
    double weights[2][row_piece];

    Line(const AddInterpolated& of, grid::Index x, int count) {
      const grid::Index first = of.fine.first.x + x, origin = of.coarse.first.x;
      HALOHEAP_INDEPENDENT
      for (int n = 0; n < count; ++n) {
        const grid::Index next = (first + n) / 2, odd = (first + n) % 2;
        parents[0][n] = next - 1 + odd - origin;
        parents[1][n] = next - origin;
        weights[0][n] = odd != 0 ? 1 : 0.5;
        weights[1][n] = odd != 0 ? 0 : 0.5;
      }
      for (int n = 0; n < count; ++n) {
        if (of.coarsening.regular(0, first + n)) continue;
        const Parents found = of.coarsening.parents(0, first + n);
        for (int i = 0; i < 2; ++i) {
          parents[i][n] = found.coarse[i] - origin;
          weights[i][n] = found.weight[i];
        }
      }
    }
  };
};

/// What is interpolated from 1 in the coarse cells of a colour, and 0 in others.
template <class T>
struct InterpolateColour {
  static constexpr int dots = 0;
  Coarsening coarsening;
  Colours colours;
  grid::Triple colour, first;
  T* x;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    double value = 1;
    HALOHEAP_UNROLL
    for (int dim = 0; dim < 3; ++dim) value *= from(dim, cell[dim]);
    x[at] = static_cast<T>(value);
  }

  /// Most rows have none of the colour.
  void row(const grid::Triple& cell, grid::Index at, int count) const {
    const double y = from(1, cell.y), z = from(2, cell.z);
    for (int n = 0; n < count; ++n)
      x[at + n] = static_cast<T>(y == 0 || z == 0 ? 0 : from(0, cell.x + n) * y * z);
  }

 private:
  /// What parents of the colour give in one dimension.
  KOKKOS_FORCEINLINE_FUNCTION double from(int dim, grid::Index at) const {
    const Parents parents = coarsening.parents(dim, first[dim] + at);
    double sum = 0;
    HALOHEAP_UNROLL
    for (int i = 0; i < 2; ++i)
      if (parents.weight[i] != 0 && colours.has(dim, parents.coarse[i], colour)) sum += parents.weight[i];
    return sum;
  }
};

}  // namespace haloheap::comm::detail

#endif
