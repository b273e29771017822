// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_CELL_GATHER_HPP
#define HALOHEAP_COMM_SOLVERS_CELL_GATHER_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/grid/field_layout.hpp>

#include <vector>

namespace haloheap::comm::detail {

/// Brings the parts of a small field that ranks own together on each of them, by way of the host.
template <class T>
class CellGather {
 public:
  /// Collective. @param part of this rank, whose cells are those of `own` in the whole grid
  /// @param whole layout of the whole field
  CellGather(const Communicator& communicator, const grid::FieldLayout& part, const grid::Box& own,
             const grid::FieldLayout& whole);

  /// Collective. Waits. @param values in own cells of the part. @param all gets own cells of the whole; what
  /// is around them is 0
  void gather(const backend::Exec& exec, const T* values, T* all);

 private:
  const Communicator& communicator_;
  grid::FieldLayout part_, whole_;
  std::vector<grid::Box> boxes_;  // of each rank
  std::vector<int> counts_, starts_;
  std::vector<T> part_values_, sent_, received_, all_values_;
};

extern template class CellGather<float>;
extern template class CellGather<double>;

}  // namespace haloheap::comm::detail

#endif
