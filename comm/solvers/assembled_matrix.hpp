// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_ASSEMBLED_MATRIX_HPP
#define HALOHEAP_COMM_SOLVERS_ASSEMBLED_MATRIX_HPP

#include <haloheap/comm/solvers/linear_operator.hpp>
#include <haloheap/core/backend/view.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace haloheap::comm {

namespace detail {

/// The number of an own cell.
KOKKOS_FORCEINLINE_FUNCTION int row_of(const grid::Triple& cell, const grid::Triple& own) {
  return static_cast<int>(cell.x + own.x * (cell.y + own.y * cell.z));
}

/// Own cells of a field, x fastest, one after the other, into a vector, and back. Enqueued.
template <class T>
void pack_own(const backend::Exec& exec, const grid::FieldLayout& layout, const T* field, T* vector);
template <class T>
void unpack_own(const backend::Exec& exec, const grid::FieldLayout& layout, const T* vector, T* field);

}  // namespace detail

/// Compressed rows in the device's memory: the entries of row i are those from offsets(i) on, up to
/// offsets(i + 1), in ascending order of their columns. Copies share the memory.
template <class T>
struct CompressedRows {
  using Offset = std::size_t;
  using Column = int;

  backend::View<Offset*> offsets;  ///< one more than there are rows
  backend::View<Column*> columns;
  backend::View<T*> values;
  Column column_count = 0;

  Column row_count() const { return static_cast<Column>(offsets.extent(0)) - 1; }
  std::size_t entry_count() const { return values.extent(0); }
};

/// The matrix of an operator in memory, for all that has to see its entries: factorisations, Gauss-Seidel,
/// other libraries.
///
///     const comm::LinearOperator matrix(world, grid, Poisson{}, sides);
///     const comm::AssembledMatrix assembled(matrix);
///     const auto& rows = assembled.rows();  // rows.offsets, rows.columns, rows.values
///
/// A rank has the rows of its own cells, in this order: x runs fastest, then y, then z. Its columns are the
/// own cells with the numbers of their rows, and behind them the ghost cells that some row reads, in the
/// order of their places in a field. A cell has one column, also where the grid wraps around so that a
/// subdomain meets itself: a ghost cell that is an own cell counts as that.
///
/// What is outside the grid stands in no column: mirrored cells and outflow count as the cells inside that
/// they are made of, and fixed values, which are on the right side of a system, as 0. Entries that are 0 are
/// left out, but for the diagonal, which each row has.
///
/// Found by what the operator makes of fields that are 1 in some cells and 0 in others, (2 r + 1)^dims of
/// them for a rule of radius r, twice. It stays as it is when the operator's constants change.
template <class T>
class AssembledMatrix {
 public:
  using Exec = backend::Exec;
  using Rows = CompressedRows<T>;

  /// Collective. Waits. The operator is not needed any more afterwards.
  /// @throws UsageError for more cells than columns can be numbered (AgreedError if not on all ranks);
  /// OutOfMemory
  explicit AssembledMatrix(const LinearOperator<T>& matrix);

  const Rows& rows() const { return rows_; }
  /// The same with columns of own cells alone: what preconditioners of one rank work on. The same memory
  /// where there are no others, a copy where there are.
  Rows own_block() const;

  int own_cells() const { return rows_.row_count(); }
  int ghost_cells() const { return rows_.column_count - rows_.row_count(); }
  /// Of each column: where in a field with layout() its value stands.
  const backend::View<grid::Index*>& places() const { return places_; }
  /// Of each column: the number of its cell in the whole grid, of which x runs fastest, then y, then z.
  const backend::View<grid::Index*>& global_numbers() const { return global_numbers_; }
  /// That of the operator.
  const grid::FieldLayout& layout() const { return layout_; }
  const Communicator& communicator() const { return communicator_; }

  // Everything below is enqueued.

  /// Own cells of a field, one after the other, into `vector`.
  void pack(const Exec& exec, const T* field, T* vector) const;
  /// The same with ghost cells: a value for each column. Those have to be there.
  void pack_all(const Exec& exec, const T* field, T* vector) const;
  /// The other way round: sets own cells.
  void unpack(const Exec& exec, const T* vector, T* field) const;

 private:
  void make(const LinearOperator<T>& matrix, const Exec& exec);

  const Communicator& communicator_;
  grid::FieldLayout layout_;
  Rows rows_;
  backend::View<grid::Index*> places_, global_numbers_;
};

extern template class AssembledMatrix<float>;
extern template class AssembledMatrix<double>;

/// How many rows have a diagonal that is 0 or not finite, of all ranks together. Collective, waits for
/// `exec`.
template <class T>
grid::Index unusable_diagonals(const Communicator& communicator, const backend::Exec& exec,
                               const CompressedRows<T>& rows);
/// Whether each entry of this rank's own block has one with its row as column and its column as row. Waits.
template <class T>
bool has_symmetric_pattern(const backend::Exec& exec, const CompressedRows<T>& own_block);

}  // namespace haloheap::comm

#endif
