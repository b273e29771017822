// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/fold_dots.hpp>
#include <haloheap/comm/solvers/gram_matrix.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <algorithm>
#include <cmath>

namespace haloheap::comm::detail {
namespace {

/// Products of some fields with others, or with themselves.
template <class T, bool Diagonal, int Parts>
struct Tile {
  static constexpr int edge = GramMatrix<T>::edge;
  static constexpr int dots = Diagonal ? edge * (edge + 1) / 2 : edge * edge;
  static constexpr int parts = Parts;
  const T *a[edge], *b[edge];
  double a_bounds[edge], b_bounds[edge];

  /// Of a row of products, the first one, and the number of each.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int first(int i) { return Diagonal ? i : 0; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int number(int i, int j) {
    return Diagonal ? i * (2 * edge - i - 1) / 2 + j : i * edge + j;
  }
  /// A value, if it is within its bound, which is looked at once and not for each product.
  KOKKOS_FORCEINLINE_FUNCTION static double bounded(T value, double bound) {
    const auto wide = static_cast<double>(value);
    return Kokkos::abs(wide) <= bound ? wide : Kokkos::Experimental::quiet_NaN_v<double>;
  }
  /// The same of some cells of a row on a host, one product after the other.
  template <int Piece>
  KOKKOS_FORCEINLINE_FUNCTION void row(double (&products)[dots][Piece], grid::Index at, int count) const {
    double left[edge][Piece], right[edge][Piece];
    for (int i = 0; i < edge; ++i) {
      for (int c = 0; c < count; ++c) left[i][c] = bounded(a[i][at + c], a_bounds[i]);
      for (int c = 0; c < count; ++c) right[i][c] = bounded(b[i][at + c], b_bounds[i]);
    }
    for (int i = 0; i < edge; ++i)
      for (int j = first(i); j < edge; ++j) {
        HALOHEAP_INDEPENDENT
        for (int c = 0; c < count; ++c) products[number(i, j)][c] = left[i][c] * right[j][c];
      }
  }
  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, dots> operator()(const grid::Triple& /*cell*/,
                                                                       grid::Index at) const {
    double left[edge], right[edge];
    HALOHEAP_UNROLL
    for (int i = 0; i < edge; ++i) {
      left[i] = bounded(a[i][at], a_bounds[i]);
      right[i] = Diagonal ? left[i] : bounded(b[i][at], b_bounds[i]);
    }
    stencil::Values<double, dots> found;
    HALOHEAP_UNROLL
    for (int i = 0; i < edge; ++i) HALOHEAP_UNROLL
    for (int j = first(i); j < edge; ++j) found.value[number(i, j)] = left[i] * right[j];
    return found;
  }
};

int blocks_of(int fields, int edge) {
  return (fields + edge - 1) / edge;
}

/// Tiles on the diagonal and above.
int tiles_of(int fields, int edge) {
  const int blocks = blocks_of(fields, edge);
  return blocks * (blocks + 1) / 2;
}

/// Words from one tile to the next.
constexpr int tile_words = GramMatrix<double>::edge * GramMatrix<double>::edge * residual_parts;

/// By how much a value may be larger than the guess of its field's norm.
constexpr double room = 4;
/// Cells from which on two parts of a sum do not have the digits of a double.
constexpr grid::Index many_cells = 1 << 22;

double clamped(double bound) {
  return std::clamp(bound, 0x1p-450, 0x1p449);  // squares that SumScale knows
}

/// Where the sums of a tile go.
struct TileSums {
  double *slots, *totals;
  grid::Index cells;  ///< of the whole grid
};

/// Enqueues it. @param one, other blocks of fields
template <bool Diagonal, int Parts, class T>
void add_tile(const backend::Exec& exec, const grid::FieldLayout& layout,
              const typename GramMatrix<T>::Fields& fields, int one, int other, const TileSums& sums) {
  using Body = Tile<T, Diagonal, Parts>;
  const auto in = [&](int block, int i) {  // what is left over has products that nobody asks for
    return std::min(static_cast<std::size_t>(block * Body::edge + i), fields.data.size() - 1);
  };
  Body body{};
  DotTargetOf<Body::dots> target;
  target.slots = sums.slots;
  for (int i = 0; i < Body::edge; ++i) {
    body.a[i] = fields.data[in(one, i)];
    body.b[i] = fields.data[in(other, i)];
    body.a_bounds[i] = clamped(room * fields.guesses[in(one, i)]);
    body.b_bounds[i] = clamped(room * fields.guesses[in(other, i)]);
  }
  for (int i = 0; i < Body::edge; ++i)
    for (int j = Body::first(i); j < Body::edge; ++j) {
      const int n = Body::number(i, j);
      target.scales[n] = stencil::SumScale::make(n, body.a_bounds[i] * body.b_bounds[j], sums.cells);
    }
  for_own_cells(exec, "haloheap::comm::gram_tile", layout, body, target);
  fold_dots(exec, {sums.slots, sums.totals, target.stride, Body::dots * residual_parts});
}

}  // namespace

template <class T>
GramMatrix<T>::GramMatrix(const Communicator& communicator, std::shared_ptr<memory::MemoryResource> memory,
                          grid::Index cells, int fields)
    : communicator_(communicator),
      cells_(cells),
      slots_(memory, "haloheap::comm::gram_slots",
             static_cast<std::size_t>(residual_slots * DotTargetOf<edge * edge>::stride)),
      totals_(memory::make_memory_resource("pinned"), "haloheap::comm::gram_totals",
              static_cast<std::size_t>(tiles_of(fields, edge) * tile_words)) {
  clear_dots(slots_);
}

template <class T>
std::vector<double> GramMatrix<T>::products(const Exec& exec, const grid::FieldLayout& layout,
                                            const Fields& fields) const {
  const int count = static_cast<int>(fields.data.size()), blocks = blocks_of(count, edge);
  const auto for_each_tile = [&](const auto& with) {
    int tile = 0;
    for (int one = 0; one < blocks; ++one)
      for (int other = one; other < blocks; ++other) with(one, other, tile++ * tile_words);
  };
  for_each_tile([&](int one, int other, int at) {
    const TileSums sums{slots_.data(), totals_.data() + at, cells_};
    if (cells_ < many_cells && one == other)
      add_tile<true, 2, T>(exec, layout, fields, one, other, sums);
    else if (cells_ < many_cells)
      add_tile<false, 2, T>(exec, layout, fields, one, other, sums);
    else if (one == other)
      add_tile<true, residual_parts, T>(exec, layout, fields, one, other, sums);
    else
      add_tile<false, residual_parts, T>(exec, layout, fields, one, other, sums);
  });
  std::vector<double> words(static_cast<std::size_t>(tiles_of(count, edge) * tile_words));
  backend::fence(exec, "haloheap::comm::gram_totals");
  std::copy_n(totals_.data(), words.size(), words.begin());
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(words.size()), MPI_DOUBLE, MPI_SUM,
                          communicator_.get()),
            "MPI_Allreduce");
  std::vector<double> result(static_cast<std::size_t>(count * count));
  for_each_tile([&](int one, int other, int at) {
    for (int i = 0; i < edge; ++i)
      for (int j = one == other ? i : 0; j < edge; ++j) {
        const int row = one * edge + i, column = other * edge + j;
        if (row >= count || column >= count) continue;
        const int n = one == other ? Tile<T, true, 2>::number(i, j) : Tile<T, false, 2>::number(i, j);
        const double sum = rounded_sum(words.data() + at + n * residual_parts);
        result[static_cast<std::size_t>(row * count + column)] = sum;
        result[static_cast<std::size_t>(column * count + row)] = sum;
      }
  });
  return result;
}

template class GramMatrix<float>;
template class GramMatrix<double>;

}  // namespace haloheap::comm::detail
