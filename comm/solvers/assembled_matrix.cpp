// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/solvers/assembled_matrix.hpp>
#include <haloheap/comm/solvers/box_cells.hpp>
#include <haloheap/comm/solvers/colours.hpp>
#include <haloheap/comm/solvers/field_kernels.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <fmt/format.h>

#include <limits>
#include <string>

namespace haloheap::comm {
namespace detail {

using RowOffset = std::size_t;

/// Which neighbour of a cell has a colour: there is one at most, as cells of a colour are too far apart for
/// two, though a small grid that wraps around shows the same one several times.
struct ColouredNeighbour {
  Colours colours;
  grid::Triple colour, first, own, cells;
  bool periodic[3];
  int radius;

  /// Of the local places of one cell, which differ by whole grids: an own cell if one of them is.
  KOKKOS_FORCEINLINE_FUNCTION grid::Index canonical(int dim, grid::Index there) const {
    if (!periodic[dim]) return there;
    while (there < 0) there += cells[dim];
    while (there >= cells[dim]) there -= cells[dim];
    const grid::Index below = there - cells[dim];
    return there >= own[dim] && below >= -radius ? below : there;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool find(const grid::Triple& cell, grid::Triple& found) const {
    found = cell;
    for (int dim = 0; dim < colours.dims(); ++dim) {
      bool any = false;
      for (int away = -radius; away <= radius && !any; ++away) {
        const grid::Index there = first[dim] + cell[dim] + away;
        any = colours.inside(dim, there) && colours.has(dim, there, colour);
        if (any) found[dim] = canonical(dim, cell[dim] + away);
      }
      if (!any) return false;
    }
    return true;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool owns(const grid::Triple& cell) const {
    for (int dim = 0; dim < colours.dims(); ++dim)
      if (cell[dim] < 0 || cell[dim] >= own[dim]) return false;
    return true;
  }
};

KOKKOS_FORCEINLINE_FUNCTION bool same_cell(const grid::Triple& one, const grid::Triple& other) {
  return one.x == other.x && one.y == other.y && one.z == other.z;
}

/// Counts the entries of rows, and marks the places of ghost cells that are read.
template <class T>
struct CountEntries {
  static constexpr int dots = 0;
  ColouredNeighbour neighbour;
  grid::FieldLayout layout;
  const T* applied;
  int *counts, *marks;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    grid::Triple there;
    if (!neighbour.find(cell, there) || (applied[at] == T{0} && !same_cell(there, cell))) return;
    ++counts[row_of(cell, neighbour.own)];
    if (!neighbour.owns(there)) Kokkos::atomic_store(&marks[layout.at(there)], 1);
  }
};

/// Appends entries to rows. @param counts of those that are there
template <class T>
struct FillEntries {
  static constexpr int dots = 0;
  ColouredNeighbour neighbour;
  grid::FieldLayout layout;
  const T* applied;
  const int* ghost_columns;
  const RowOffset* offsets;
  int *counts, *columns;
  T* values;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    grid::Triple there;
    if (!neighbour.find(cell, there) || (applied[at] == T{0} && !same_cell(there, cell))) return;
    const int row = row_of(cell, neighbour.own);
    const RowOffset entry = offsets[row] + static_cast<RowOffset>(counts[row]++);
    columns[entry] = neighbour.owns(there) ? row_of(there, neighbour.own) : ghost_columns[layout.at(there)];
    values[entry] = applied[at];
  }
};

/// Offsets of rows from their counts, which are 0 then. One iteration more than there are rows.
struct ScanCounts {
  using value_type = RowOffset;
  int* counts;
  RowOffset* offsets;
  grid::Index rows;

  KOKKOS_FUNCTION void operator()(grid::Index row, RowOffset& sum, bool last) const {
    if (last) offsets[row] = sum;
    if (row >= rows) return;
    sum += static_cast<RowOffset>(counts[row]);
    if (last) counts[row] = 0;
  }
};

/// Numbers marked places: 0 stays where there is none.
struct ScanMarks {
  using value_type = int;
  int* marks;
  int own;

  KOKKOS_FUNCTION void operator()(grid::Index place, int& sum, bool last) const {
    if (marks[place] == 0) return;
    if (last) marks[place] = own + sum;
    ++sum;
  }
};

/// By columns: rows are short, and nearly in order.
template <class T>
struct SortRows {
  const RowOffset* offsets;
  int* columns;
  T* values;

  KOKKOS_FUNCTION void operator()(grid::Index row) const {
    const RowOffset first = offsets[row], end = offsets[row + 1];
    for (RowOffset next = first + 1; next < end; ++next) {
      const int column = columns[next];
      const T value = values[next];
      RowOffset to = next;
      for (; to > first && columns[to - 1] > column; --to) {
        columns[to] = columns[to - 1];
        values[to] = values[to - 1];
      }
      columns[to] = column;
      values[to] = value;
    }
  }
};

struct NumberCells {
  static constexpr int dots = 0;
  grid::Triple own, first, cells;
  grid::Index *places, *numbers;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    const int row = row_of(cell, own);
    places[row] = at;
    numbers[row] = first.x + cell.x + cells.x * (first.y + cell.y + cells.y * (first.z + cell.z));
  }
};

struct NumberGhosts {
  grid::BoxList boxes;
  grid::FieldLayout layout;
  const int* columns;
  grid::Triple first, cells;
  grid::Index *places, *numbers;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    grid::Triple cell = boxes.cell(i);
    const grid::Index at = layout.at(cell);
    const int column = columns[at];
    if (column == 0) return;
    for (int dim = 0; dim < 3; ++dim) {
      cell[dim] += first[dim];
      while (cell[dim] < 0) cell[dim] += cells[dim];
      while (cell[dim] >= cells[dim]) cell[dim] -= cells[dim];
    }
    places[column] = at;
    numbers[column] = cell.x + cells.x * (cell.y + cells.y * cell.z);
  }
};

template <class T>
struct PackOwn {
  static constexpr int dots = 0;
  grid::Triple own;
  const T* field;
  T* vector;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    vector[row_of(cell, own)] = field[at];
  }
};

template <class T>
struct UnpackOwn {
  static constexpr int dots = 0;
  grid::Triple own;
  const T* vector;
  T* field;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    field[at] = vector[row_of(cell, own)];
  }
};

template <class T>
struct PackPlaces {
  const grid::Index* places;
  const T* field;
  T* vector;

  KOKKOS_FUNCTION void operator()(grid::Index column) const { vector[column] = field[places[column]]; }
};

/// Entries of own cells come first in a row.
struct CountOwnColumns {
  const RowOffset* offsets;
  const int* columns;
  int rows;
  int* counts;

  KOKKOS_FUNCTION void operator()(grid::Index row) const {
    int count = 0;
    for (RowOffset entry = offsets[row]; entry < offsets[row + 1] && columns[entry] < rows; ++entry) ++count;
    counts[row] = count;
  }
};

template <class T>
struct CopyRowStarts {
  const RowOffset *from_offsets, *offsets;
  const int* from_columns;
  const T* from_values;
  int* columns;
  T* values;

  KOKKOS_FUNCTION void operator()(grid::Index row) const {
    RowOffset from = from_offsets[row];
    for (RowOffset entry = offsets[row]; entry < offsets[row + 1]; ++entry, ++from) {
      columns[entry] = from_columns[from];
      values[entry] = from_values[from];
    }
  }
};

template <class T>
struct UnusableDiagonal {
  using value_type = grid::Index;
  const RowOffset* offsets;
  const int* columns;
  const T* values;

  KOKKOS_FUNCTION void operator()(grid::Index row, grid::Index& wrong) const {
    T diagonal = 0;
    for (RowOffset entry = offsets[row]; entry < offsets[row + 1]; ++entry)
      if (columns[entry] == row) diagonal = values[entry];
    wrong += diagonal == T{0} || !Kokkos::isfinite(diagonal) ? 1 : 0;
  }
};

/// Counts entries without a counterpart.
struct EntryAlone {
  using value_type = grid::Index;
  const RowOffset* offsets;
  const int* columns;

  KOKKOS_FUNCTION void operator()(grid::Index row, grid::Index& alone) const {
    for (RowOffset entry = offsets[row]; entry < offsets[row + 1]; ++entry) {
      const int other = columns[entry];
      bool found = false;
      for (RowOffset back = offsets[other]; back < offsets[other + 1] && !found; ++back)
        found = columns[back] == row;
      alone += found ? 0 : 1;
    }
  }
};

template <class T>
void pack_own(const backend::Exec& exec, const grid::FieldLayout& layout, const T* field, T* vector) {
  for_own_cells(exec, "haloheap::comm::pack_own", layout, PackOwn<T>{layout.own, field, vector});
}
template <class T>
void unpack_own(const backend::Exec& exec, const grid::FieldLayout& layout, const T* vector, T* field) {
  for_own_cells(exec, "haloheap::comm::unpack_own", layout, UnpackOwn<T>{layout.own, vector, field});
}
template void pack_own(const backend::Exec&, const grid::FieldLayout&, const float*, float*);
template void pack_own(const backend::Exec&, const grid::FieldLayout&, const double*, double*);
template void unpack_own(const backend::Exec&, const grid::FieldLayout&, const float*, float*);
template void unpack_own(const backend::Exec&, const grid::FieldLayout&, const double*, double*);

}  // namespace detail

using namespace detail;

namespace {

using RowPolicy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>>;

template <class Kernel>
void for_rows(const backend::Exec& exec, const char* label, grid::Index begin, grid::Index end,
              const Kernel& kernel) {
  if (begin < end)
    backend::parallel_for(label, backend::as_kernel_argument(RowPolicy(exec, begin, end)), kernel);
}

template <class Kernel>
grid::Index sum_of_rows(const backend::Exec& exec, const char* label, grid::Index rows,
                        const Kernel& kernel) {
  backend::fence(exec, label);
  grid::Index sum = 0;
  Kokkos::parallel_reduce(label, RowPolicy(exec, 0, rows), kernel, sum);
  return sum;
}

/// @returns the sum of all counts. Waits
RowOffset scan_counts(const backend::Exec& exec, int* counts, const backend::View<RowOffset*>& offsets) {
  const auto rows = static_cast<grid::Index>(offsets.extent(0)) - 1;
  backend::fence(exec, "haloheap::comm::count_entries");
  RowOffset sum = 0;
  Kokkos::parallel_scan("haloheap::comm::scan_counts", RowPolicy(exec, 0, rows + 1),
                        ScanCounts{counts, offsets.data(), rows}, sum);
  backend::fence(exec, "haloheap::comm::scan_counts");
  return sum;
}

template <class Value>
backend::View<Value*> unset(const std::string& label, std::size_t size) {
  return backend::View<Value*>(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), size);
}

/// Applies an operator to 1 in the cells of one colour after the other.
template <class T>
class Probe {
 public:
  Probe(const LinearOperator<T>& matrix, const backend::Exec& exec)
      : matrix_(matrix),
        exec_(exec),
        own_(matrix.grid().own()),
        x_(memory::make_memory_resource("device"), "haloheap::comm::probe", size()),
        y_(memory::make_memory_resource("device"), "haloheap::comm::probed", size()),
        colours_(matrix.grid().dims, matrix.grid().cells, matrix.grid().topology.periodic, matrix.radius()) {
    // What no colour sets is read by wide loads at most.
    set_all(exec, x_.data(), matrix.layout(), T{0});
    set_all(exec, y_.data(), matrix.layout(), T{0});
  }

  /// with(neighbour, what came out)
  template <class With>
  void for_each_colour(const With& with) const {
    const Grid& grid = matrix_.grid();
    const grid::FieldLayout& layout = matrix_.layout();
    const auto& periodic = grid.topology.periodic;
    const grid::Box inside = grid::whole_grid(grid.dims, periodic, grid.cells, own_);
    const grid::Box box = grid::intersect(grid::grown(layout.own_box(), grid.dims, layout.halo.x), inside);
    for (int n = 0; n < colours_.count(); ++n) {
      const grid::Triple colour = colours_.colour(n);
      for_box(exec_, "haloheap::comm::set_colour", layout, box,
              SetColour<T>{colours_, colour, own_.lo, x_.data()});
      matrix_.kernels().impose_on_direction(exec_, x_.data());
      matrix_.kernels().apply(exec_, x_.data(), nullptr, y_.data());
      with(ColouredNeighbour{colours_,
                             colour,
                             own_.lo,
                             layout.own,
                             grid.cells,
                             {periodic[0], periodic[1], periodic[2]},
                             matrix_.radius()},
           static_cast<const T*>(y_.data()));
    }
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(matrix_.layout().size()); }

  const LinearOperator<T>& matrix_;
  const backend::Exec& exec_;
  grid::Box own_;
  memory::Array<T> x_, y_;
  Colours colours_;
};

void require_countable(const grid::FieldLayout& layout, int radius) {
  const grid::Index cells = grid::grown(layout.own_box(), layout.dims, radius).cells();
  if (cells > std::numeric_limits<int>::max())
    throw UsageError(fmt::format("a rank's part of a matrix has {} cells with those around", cells),
                     "columns of an AssembledMatrix have numbers of 32 bits", "use more ranks");
}

}  // namespace

template <class T>
AssembledMatrix<T>::AssembledMatrix(const LinearOperator<T>& matrix)
    : communicator_(matrix.communicator()), layout_(matrix.layout()) {
  agree(communicator_, [&] {
    require_countable(layout_, matrix.radius());
    const backend::Instance instance(backend::Priority::low);
    make(matrix, instance.exec());
  });
}

template <class T>
void AssembledMatrix<T>::make(const LinearOperator<T>& matrix, const Exec& exec) {
  const grid::Index rows = product(layout_.own);
  const Probe<T> probe(matrix, exec);
  const backend::View<int*> counts("haloheap::comm::entry_counts", static_cast<std::size_t>(rows));
  const backend::View<int*> marks("haloheap::comm::ghost_columns", static_cast<std::size_t>(layout_.size()));
  Kokkos::fence("haloheap::comm::AssembledMatrix");
  probe.for_each_colour([&](const ColouredNeighbour& neighbour, const T* applied) {
    for_own_cells(exec, "haloheap::comm::count_entries", layout_,
                  CountEntries<T>{neighbour, layout_, applied, counts.data(), marks.data()});
  });
  rows_.offsets = unset<RowOffset>("haloheap::comm::row_offsets", static_cast<std::size_t>(rows) + 1);
  const RowOffset entries = scan_counts(exec, counts.data(), rows_.offsets);
  int ghosts = 0;
  Kokkos::parallel_scan("haloheap::comm::scan_ghosts", RowPolicy(exec, 0, layout_.size()),
                        ScanMarks{marks.data(), static_cast<int>(rows)}, ghosts);
  backend::fence(exec, "haloheap::comm::scan_ghosts");
  rows_.column_count = static_cast<int>(rows) + ghosts;

  const auto columns = static_cast<std::size_t>(rows_.column_count);
  places_ = unset<grid::Index>("haloheap::comm::places_of_columns", columns);
  global_numbers_ = unset<grid::Index>("haloheap::comm::global_numbers", columns);
  const grid::Triple first = matrix.grid().own().lo, &cells = matrix.grid().cells;
  for_own_cells(exec, "haloheap::comm::number_cells", layout_,
                NumberCells{layout_.own, first, cells, places_.data(), global_numbers_.data()});
  const grid::Box around = grid::grown(layout_.own_box(), layout_.dims, matrix.radius());
  grid::for_each_box_list(grid::outside_boxes(around, layout_.own_box(), {}), [&](const grid::BoxList& list) {
    for_rows(exec, "haloheap::comm::number_ghosts", 0, list.cells(),
             NumberGhosts{list, layout_, marks.data(), first, cells, places_.data(), global_numbers_.data()});
  });

  rows_.columns = unset<int>("haloheap::comm::columns", entries);
  rows_.values = unset<T>("haloheap::comm::entries", entries);
  probe.for_each_colour([&](const ColouredNeighbour& neighbour, const T* applied) {
    for_own_cells(exec, "haloheap::comm::fill_entries", layout_,
                  FillEntries<T>{neighbour, layout_, applied, marks.data(), rows_.offsets.data(),
                                 counts.data(), rows_.columns.data(), rows_.values.data()});
  });
  for_rows(exec, "haloheap::comm::sort_rows", 0, rows,
           SortRows<T>{rows_.offsets.data(), rows_.columns.data(), rows_.values.data()});
  backend::wait_for(exec);
}

template <class T>
auto AssembledMatrix<T>::own_block() const -> Rows {
  if (ghost_cells() == 0) return rows_;
  const backend::Instance instance(backend::Priority::low);
  const Exec& exec = instance.exec();
  const int count = rows_.row_count();
  const auto rows = static_cast<std::size_t>(count);
  const auto counts = unset<int>("haloheap::comm::entry_counts", rows);
  Rows block;
  block.column_count = count;
  block.offsets = unset<RowOffset>("haloheap::comm::row_offsets", rows + 1);
  for_rows(exec, "haloheap::comm::count_own_columns", 0, count,
           CountOwnColumns{rows_.offsets.data(), rows_.columns.data(), count, counts.data()});
  const RowOffset entries = scan_counts(exec, counts.data(), block.offsets);
  block.columns = unset<int>("haloheap::comm::columns", entries);
  block.values = unset<T>("haloheap::comm::entries", entries);
  for_rows(exec, "haloheap::comm::copy_row_starts", 0, count,
           CopyRowStarts<T>{rows_.offsets.data(), block.offsets.data(), rows_.columns.data(),
                            rows_.values.data(), block.columns.data(), block.values.data()});
  backend::wait_for(exec);
  return block;
}

template <class T>
void AssembledMatrix<T>::pack(const Exec& exec, const T* field, T* vector) const {
  pack_own(exec, layout_, field, vector);
}

template <class T>
void AssembledMatrix<T>::pack_all(const Exec& exec, const T* field, T* vector) const {
  pack(exec, field, vector);
  for_rows(exec, "haloheap::comm::pack_ghosts", own_cells(), rows_.column_count,
           PackPlaces<T>{places_.data(), field, vector});
}

template <class T>
void AssembledMatrix<T>::unpack(const Exec& exec, const T* vector, T* field) const {
  unpack_own(exec, layout_, vector, field);
}

template <class T>
grid::Index unusable_diagonals(const Communicator& communicator, const backend::Exec& exec,
                               const CompressedRows<T>& rows) {
  const grid::Index found =
      sum_of_rows(exec, "haloheap::comm::unusable_diagonals", rows.row_count(),
                  UnusableDiagonal<T>{rows.offsets.data(), rows.columns.data(), rows.values.data()});
  return static_cast<grid::Index>(communicator.sum(static_cast<double>(found)));
}

template <class T>
bool has_symmetric_pattern(const backend::Exec& exec, const CompressedRows<T>& own_block) {
  return sum_of_rows(exec, "haloheap::comm::entries_alone", own_block.row_count(),
                     EntryAlone{own_block.offsets.data(), own_block.columns.data()}) == 0;
}

template class AssembledMatrix<float>;
template class AssembledMatrix<double>;
template grid::Index unusable_diagonals(const Communicator&, const backend::Exec&,
                                        const CompressedRows<float>&);
template grid::Index unusable_diagonals(const Communicator&, const backend::Exec&,
                                        const CompressedRows<double>&);
template bool has_symmetric_pattern(const backend::Exec&, const CompressedRows<float>&);
template bool has_symmetric_pattern(const backend::Exec&, const CompressedRows<double>&);

}  // namespace haloheap::comm
