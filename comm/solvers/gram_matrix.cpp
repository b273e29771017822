// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/fold_dots.hpp>
#include <haloheap/comm/solvers/gram_matrix.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace haloheap::comm::detail {
namespace {

/// Pairs of some fields, each with itself too.
template <int Edge>
struct Triangle {
  static constexpr bool same = true;
  static constexpr int rows = Edge, columns = Edge, count = Edge * (Edge + 1) / 2;

  /// Of a row of products, the first one, and the number of each.
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int first(int i) { return i; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int number(int i, int j) {
    return i * (2 * Edge - i - 1) / 2 + j;
  }
};

/// Pairs of some fields with others.
template <int Rows, int Columns>
struct Rectangle {
  static constexpr bool same = false;
  static constexpr int rows = Rows, columns = Columns, count = Rows * Columns;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int first(int /*i*/) { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int number(int i, int j) { return i * Columns + j; }
};

/// Products of the pairs of some fields.
template <class T, class Pairs, int Parts>
struct Tile {
  static constexpr int rows = Pairs::rows, columns = Pairs::columns;
  static constexpr int dots = Pairs::count;
  static constexpr int parts = Parts;
  const T *a[rows], *b[columns];
  double a_bounds[rows], b_bounds[columns];

  /// A value, if it is within its bound, which is looked at once and not for each product.
  KOKKOS_FORCEINLINE_FUNCTION static double bounded(T value, double bound) {
    const auto wide = static_cast<double>(value);
    return Kokkos::abs(wide) <= bound ? wide : Kokkos::Experimental::quiet_NaN_v<double>;
  }
  /// The same of some cells of a row on a host, one product after the other.
  template <int Piece>
  KOKKOS_FORCEINLINE_FUNCTION void row(double (&products)[dots][Piece], grid::Index at, int count) const {
    double left[rows][Piece], right[columns][Piece];
    for (int i = 0; i < rows; ++i)
      for (int c = 0; c < count; ++c) left[i][c] = bounded(a[i][at + c], a_bounds[i]);
    for (int j = 0; j < columns; ++j)
      for (int c = 0; c < count; ++c) right[j][c] = bounded(b[j][at + c], b_bounds[j]);
    for (int i = 0; i < rows; ++i)
      for (int j = Pairs::first(i); j < columns; ++j) {
        HALOHEAP_INDEPENDENT
        for (int c = 0; c < count; ++c) products[Pairs::number(i, j)][c] = left[i][c] * right[j][c];
      }
  }
  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, dots> operator()(const grid::Triple& /*cell*/,
                                                                       grid::Index at) const {
    double left[rows], right[columns];
    HALOHEAP_UNROLL
    for (int i = 0; i < rows; ++i) left[i] = bounded(a[i][at], a_bounds[i]);
    HALOHEAP_UNROLL
    for (int j = 0; j < columns; ++j) right[j] = Pairs::same ? left[j] : bounded(b[j][at], b_bounds[j]);
    stencil::Values<double, dots> found;
    HALOHEAP_UNROLL
    for (int i = 0; i < rows; ++i) HALOHEAP_UNROLL
    for (int j = Pairs::first(i); j < columns; ++j) found.value[Pairs::number(i, j)] = left[i] * right[j];
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
static_assert(2 * GramMatrix<double>::with_two * residual_parts <= tile_words);

/// Calls `with` the fields of a block for which there are kernels, of so many or more that are left. s-step
/// methods have an odd number of fields.
template <class With>
void with_width(int left, const With& with) {
  constexpr int edge = GramMatrix<double>::edge;
  if (left >= edge)
    with(std::integral_constant<int, edge>());
  else if (left > 1)
    with(std::integral_constant<int, edge - 1>());
  else
    with(std::integral_constant<int, 1>());
}

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

/// Some fields after another one. What is left over has products that nobody asks for.
template <class T>
struct Block {
  const typename GramMatrix<T>::Fields& fields;
  int first;

  const T* data(int i) const { return fields.data[at(i)]; }
  double bound(int i) const { return clamped(room * fields.guesses[at(i)]); }

 private:
  std::size_t at(int i) const {
    return std::min(static_cast<std::size_t>(first + i), fields.data.size() - 1);
  }
};

/// Enqueues it.
template <class Pairs, int Parts, class T>
void add_tile(const backend::Exec& exec, const grid::FieldLayout& layout, const Block<T>& one,
              const Block<T>& other, const TileSums& sums) {
  using Body = Tile<T, Pairs, Parts>;
  Body body{};
  DotTargetFor<Body> target;
  target.slots = sums.slots;
  for (int i = 0; i < Body::rows; ++i) {
    body.a[i] = one.data(i);
    body.a_bounds[i] = one.bound(i);
  }
  for (int j = 0; j < Body::columns; ++j) {
    body.b[j] = other.data(j);
    body.b_bounds[j] = other.bound(j);
  }
  for (int i = 0; i < Body::rows; ++i)
    for (int j = Pairs::first(i); j < Body::columns; ++j) {
      const int n = Pairs::number(i, j);
      target.scales[n] = stencil::SumScale::make(n, body.a_bounds[i] * body.b_bounds[j], sums.cells);
    }
  for_own_cells(exec, "haloheap::comm::gram_tile", layout, body, target);
  fold_dots(exec, {sums.slots, sums.totals, target.stride, Body::dots * residual_parts});
}

/// With as many parts as the cells need.
template <class Pairs, class T>
void add_tile(const backend::Exec& exec, const grid::FieldLayout& layout, const Block<T>& one,
              const Block<T>& other, const TileSums& sums) {
  if (sums.cells < many_cells)
    add_tile<Pairs, 2>(exec, layout, one, other, sums);
  else
    add_tile<Pairs, residual_parts>(exec, layout, one, other, sums);
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
std::vector<double> GramMatrix<T>::words(const Exec& exec, int tiles) const {
  std::vector<double> all(static_cast<std::size_t>(tiles * tile_words));
  backend::fence(exec, "haloheap::comm::gram_totals");
  std::copy_n(totals_.data(), all.size(), all.begin());
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM,
                          communicator_.get()),
            "MPI_Allreduce");
  return all;
}

template <class T>
std::vector<double> GramMatrix<T>::products(const Exec& exec, const grid::FieldLayout& layout,
                                            const Fields& fields) const {
  const int count = static_cast<int>(fields.data.size()), blocks = blocks_of(count, edge);
  const auto for_each_tile = [&](const auto& with) {
    int tile = 0;
    for (int one = 0; one < blocks; ++one)
      for (int other = one; other < blocks; ++other, ++tile)
        with_width(count - other * edge, [&](auto width) {
          if (one == other)
            with(Triangle<width.value>(), one, other, tile * tile_words);
          else
            with(Rectangle<edge, width.value>(), one, other, tile * tile_words);
        });
  };
  for_each_tile([&](auto pairs, int one, int other, int at) {
    const TileSums sums{slots_.data(), totals_.data() + at, cells_};
    const Block<T> rows{fields, one * edge}, columns{fields, other * edge};
    add_tile<decltype(pairs)>(exec, layout, rows, columns, sums);
  });
  const std::vector<double> all = words(exec, tiles_of(count, edge));
  std::vector<double> result(static_cast<std::size_t>(count * count));
  for_each_tile([&](auto pairs, int one, int other, int at) {
    using Pairs = decltype(pairs);
    for (int i = 0; i < Pairs::rows; ++i)
      for (int j = Pairs::first(i); j < Pairs::columns; ++j) {
        const int row = one * edge + i, column = other * edge + j;
        if (row >= count || column >= count) continue;
        const double sum = rounded_sum(all.data() + at + Pairs::number(i, j) * residual_parts);
        result[static_cast<std::size_t>(row * count + column)] = sum;
        result[static_cast<std::size_t>(column * count + row)] = sum;
      }
  });
  return result;
}

template <class T>
std::vector<double> GramMatrix<T>::products_with(const Exec& exec, const grid::FieldLayout& layout,
                                                 const Fields& fields, const Fields& two) const {
  const int count = static_cast<int>(fields.data.size()), blocks = blocks_of(count, with_two);
  for (int block = 0; block < blocks; ++block) {
    const TileSums sums{slots_.data(), totals_.data() + block * tile_words, cells_};
    const Block<T> rows{fields, block * with_two}, columns{two, 0};
    const int left = count - rows.first;
    if (left <= 2)
      add_tile<Rectangle<2, 2>>(exec, layout, rows, columns, sums);
    else if (left <= 4)
      add_tile<Rectangle<4, 2>>(exec, layout, rows, columns, sums);
    else
      add_tile<Rectangle<with_two, 2>>(exec, layout, rows, columns, sums);
  }
  const std::vector<double> all = words(exec, blocks);
  std::vector<double> result;
  for (int row = 0; row < count; ++row)
    for (int column = 0; column < 2; ++column) {
      const int n = Rectangle<with_two, 2>::number(row % with_two, column);
      result.push_back(rounded_sum(all.data() + row / with_two * tile_words + n * residual_parts));
    }
  return result;
}

template class GramMatrix<float>;
template class GramMatrix<double>;

}  // namespace haloheap::comm::detail
