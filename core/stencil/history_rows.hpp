// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_HISTORY_ROWS_HPP
#define HALOHEAP_CORE_STENCIL_HISTORY_ROWS_HPP

#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/grid/box.hpp>
#include <haloheap/core/memory/array.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace haloheap::stencil::detail {

/// What a history and its rows are called, in messages and in labels of memory: "residual" has
/// "haloheap::stencil::residual_slots", of a "step" each.
struct HistoryWords {
  const char *history, *row;
};

/// Rows of numbers, one behind the other, where kernels append them: the host waits for none. A row is
/// gathered in slots, and a fold moves it here. Where the fold appends stands in the same memory, once for
/// each of its threads, which alone reads and writes it, so that a fold can be replayed as part of a graph.
class HistoryRows {
 public:
  /// @param memory that kernels can access
  /// @param slots numbers, zero until something is added
  /// @param cursors threads of a fold
  HistoryRows(std::shared_ptr<memory::MemoryResource> memory, const HistoryWords& words, std::size_t slots,
              std::size_t cursors, grid::Index row_size);

  bool has_room(grid::Index rows) const;
  /// Makes room for that many more rows. Only here memory is taken: not while work is queued, and before
  /// anything is captured.
  /// @returns true if the rows have moved: what was captured before must be captured anew
  bool reserve(grid::Index rows);

  /// For kernels.
  double* slots() const { return slots_.data(); }
  grid::Index* cursors() const { return cursors_.data(); }
  double* rows() const { return rows_.data(); }
  grid::Index capacity() const { return static_cast<grid::Index>(rows_.size()) / row_size_; }

  /// All that have been appended. The queue must have drained, here and below.
  /// @throws UsageError if there was no room for some of them
  std::vector<double> read() const;
  /// Back to no row, and empty slots; what was reserved stays.
  void reset();

 private:
  grid::Index appended() const;  // also those for which there was no room
  std::vector<double> first(grid::Index rows) const;
  template <class T>
  void copy(T* to, const T* from, std::size_t count) const;

  std::shared_ptr<memory::MemoryResource> memory_;
  HistoryWords words_;
  std::string rows_label_;
  grid::Index row_size_;
  backend::Instance copies_{backend::Priority::low};
  memory::Array<double> slots_;
  memory::Array<grid::Index> cursors_;
  memory::Array<double> rows_;
  grid::Index reserved_ = 0;  // rows since the last reset: the host need not ask the device for room
};

}  // namespace haloheap::stencil::detail

#endif
