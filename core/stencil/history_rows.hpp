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

/// Rows of numbers, one behind the other, where kernels append them: the host waits for none. A row is
/// gathered in slots, and a fold moves it here. Where the fold appends stands in the same memory, once for
/// each of its threads, which alone reads and writes it, so that a fold can be replayed as part of a graph.
class HistoryRows {
 public:
  /// @param memory that kernels can access
  /// @param name of the memory's parts: "residual" has "haloheap::stencil::residual_slots"
  /// @param slots numbers, zero until something is added
  /// @param cursors threads of a fold
  HistoryRows(std::shared_ptr<memory::MemoryResource> memory, const std::string& name, std::size_t slots,
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

  /// How many have been appended, also of those for which there was no room. The queue must have drained,
  /// here and below.
  grid::Index appended() const;
  /// The first `rows` of them.
  std::vector<double> read(grid::Index rows) const;
  /// Back to no row, and empty slots; what was reserved stays.
  void reset();

 private:
  template <class T>
  void copy(T* to, const T* from, std::size_t count) const;

  std::shared_ptr<memory::MemoryResource> memory_;
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
