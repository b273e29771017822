// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_LU_KERNELS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_LU_KERNELS_HPP

#include <haloheap/core/coherence/workers.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <type_traits>

/// Kernels of method blocked. Why not KokkosBlas::gemm and trsm, which take the Views of accesses: gemm adds
/// up a product before it subtracts it, in blocks of its own, so that the bits of the factors would depend on
/// the block and on the backend; and each call compiles all of their variants. Here every element has its
/// products subtracted one after the other, in the order of a plain elimination.
namespace haloheap::lu_kernels {

using coherence::ElementIndex;

/// A part of a matrix, row after row.
template <class T>
struct Tile {
  T* data;
  ElementIndex pitch;  ///< elements from one row to the next

  KOKKOS_FUNCTION T& operator()(ElementIndex row, ElementIndex column) const {
    return data[row * pitch + column];
  }
  /// The part that begins there.
  Tile at(ElementIndex row, ElementIndex column) const { return {data + row * pitch + column, pitch}; }
};

template <class Exec>
using TeamOf = typename Kokkos::TeamPolicy<Exec>::member_type;

/// L and U of a square tile, in place, by one team.
template <class Exec, class T>
struct FactorSquare {
  Tile<T> a;
  ElementIndex size;

  KOKKOS_FUNCTION void operator()(const TeamOf<Exec>& team) const {
    for (ElementIndex k = 0; k + 1 < size; ++k) {
      const ElementIndex rest = size - k - 1;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rest),
                           [&](ElementIndex i) { a(k + 1 + i, k) /= a(k, k); });
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rest * rest), [&](ElementIndex i) {
        const ElementIndex row = k + 1 + i / rest, column = k + 1 + i % rest;
        a(row, column) -= a(row, k) * a(k, column);
      });
      team.team_barrier();
    }
  }
};

/// One column of U right of a square tile with L: X = L^-1 X.
template <class T>
struct SolveColumn {
  Tile<const T> l;
  Tile<T> x;
  ElementIndex size;

  KOKKOS_FUNCTION void operator()(ElementIndex column) const {
    for (ElementIndex i = 1; i < size; ++i) {
      T value = x(i, column);
      for (ElementIndex k = 0; k < i; ++k) value -= l(i, k) * x(k, column);
      x(i, column) = value;
    }
  }
};

/// One row of L below a square tile with U: X = X U^-1.
template <class T>
struct SolveRow {
  Tile<const T> u;
  Tile<T> x;
  ElementIndex size;

  KOKKOS_FUNCTION void operator()(ElementIndex row) const {
    for (ElementIndex j = 0; j < size; ++j) {
      T value = x(row, j);
      for (ElementIndex k = 0; k < j; ++k) value -= x(row, k) * u(k, j);
      x(row, j) = value / u(j, j);
    }
  }
};

/// A = A - L U for a tile of `side` rows and columns, by a team, with L and U in its scratch memory.
template <class Exec, class T>
struct SubtractProduct {
  static constexpr int side = 64, chunk = 32;
  static constexpr int threads = 16, each = side / threads;  // along each side
  static constexpr int scratch_elements = 2 * side * chunk;
  using Scratch =
      Kokkos::View<T*, typename Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  Tile<T> a;
  Tile<const T> l, u;
  ElementIndex rows, columns, depth;

  KOKKOS_FUNCTION void operator()(const TeamOf<Exec>& team) const {
    const ElementIndex across = (columns + side - 1) / side;
    const ElementIndex row = team.league_rank() / across * side, column = team.league_rank() % across * side;
    const Scratch mine(team.team_scratch(0), scratch_elements);
    for (ElementIndex begin = 0; begin < depth; begin += chunk) {
      const ElementIndex steps = depth - begin < chunk ? depth - begin : chunk;
      load(team, mine.data(), row, column, begin, steps);
      team.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads * threads), [&](int thread) {
        subtract(mine.data(), row + thread / threads, column + thread % threads, thread,
                 static_cast<int>(steps));
      });
      team.team_barrier();
    }
  }

 private:
  /// A chunk of columns of L, and of rows of U. Beyond the ends are zeros, which no result is made of.
  KOKKOS_FUNCTION void load(const TeamOf<Exec>& team, T* mine, ElementIndex row, ElementIndex column,
                            ElementIndex begin, ElementIndex steps) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, side * chunk), [&](int i) {
      const int r = i / chunk, k = i % chunk;
      mine[i] = row + r < rows && k < steps ? l(row + r, begin + k) : T{};
    });
    T* const other = mine + side * chunk;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, side * chunk), [&](int i) {
      const int k = i / side, c = i % side;
      other[i] = column + c < columns && k < steps ? u(begin + k, column + c) : T{};
    });
  }

  /// `each` by `each` elements, `threads` apart.
  KOKKOS_FUNCTION void subtract(const T* mine, ElementIndex row, ElementIndex column, int thread,
                                int steps) const {
    const T* const left = mine + thread / threads * chunk;
    const T* const right = mine + side * chunk + thread % threads;
    T sums[each][each];
    for (int r = 0; r < each; ++r)
      for (int c = 0; c < each; ++c) sums[r][c] = inside(row, r, column, c) ? at(row, r, column, c) : T{};
    for (int k = 0; k < steps; ++k)
      for (int r = 0; r < each; ++r)
        for (int c = 0; c < each; ++c)
          sums[r][c] -= left[r * threads * chunk + k] * right[k * side + c * threads];
    for (int r = 0; r < each; ++r)
      for (int c = 0; c < each; ++c)
        if (inside(row, r, column, c)) at(row, r, column, c) = sums[r][c];
  }
  KOKKOS_FUNCTION bool inside(ElementIndex row, int r, ElementIndex column, int c) const {
    return row + r * threads < rows && column + c * threads < columns;
  }
  KOKKOS_FUNCTION T& at(ElementIndex row, int r, ElementIndex column, int c) const {
    return a(row + r * threads, column + c * threads);
  }
};

/// Takes the multiple of a panel's row from one of the rows below it, in the columns from its diagonal on.
template <class T>
struct EliminateRow {
  Tile<T> a;  ///< begins on the diagonal
  ElementIndex columns;

  KOKKOS_FUNCTION void operator()(ElementIndex row) const {
    const T factor = a(row, 0) /= a(0, 0);
    for (ElementIndex j = 1; j < columns; ++j) a(row, j) -= factor * a(0, j);
  }
};

template <class T>
struct SwapRows {
  T *x, *y;

  KOKKOS_FUNCTION void operator()(ElementIndex i) const {
    const T value = x[i];
    x[i] = y[i];
    y[i] = value;
  }
};

/// Threads of a team: one where the host computes.
template <class Exec>
constexpr int team_size() {
  return std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace> ? 1 : 256;
}

template <class Exec, class T>
void factor_square(const Exec& exec, const Tile<T>& a, ElementIndex size) {
  Kokkos::parallel_for("haloheap::lu::square", Kokkos::TeamPolicy<Exec>(exec, 1, team_size<Exec>()),
                       FactorSquare<Exec, T>{a, size});
}

template <class Exec, class T>
void subtract_product(const Exec& exec, const Tile<T>& a, const Tile<const T>& l, const Tile<const T>& u,
                      ElementIndex rows, ElementIndex columns, ElementIndex depth) {
  using Kernel = SubtractProduct<Exec, T>;
  const auto tiles = [](ElementIndex n) { return (n + Kernel::side - 1) / Kernel::side; };
  if (rows == 0 || columns == 0) return;
  const auto scratch = Kokkos::PerTeam(Kernel::Scratch::shmem_size(Kernel::scratch_elements));
  Kokkos::parallel_for(
      "haloheap::lu::product",
      Kokkos::TeamPolicy<Exec>(exec, static_cast<int>(tiles(rows) * tiles(columns)), team_size<Exec>())
          .set_scratch_size(0, scratch),
      Kernel{a, l, u, rows, columns, depth});
}

}  // namespace haloheap::lu_kernels

#endif
