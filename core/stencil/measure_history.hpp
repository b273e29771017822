// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_MEASURE_HISTORY_HPP
#define HALOHEAP_CORE_STENCIL_MEASURE_HISTORY_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/stencil/history_rows.hpp>
#include <haloheap/core/stencil/measured_words.hpp>

#include <memory>
#include <vector>

namespace haloheap::stencil {

/// What a measure gives on this rank, state by state, kept where the kernels run: the host waits for none of
/// them. Kernels that measure add to slots; after each, `fold` appends what is in them. Where it appends
/// stands in device memory, so that both can be replayed as part of a graph.
class MeasureHistory {
 public:
  using Exec = backend::Exec;

  /// @param memory that kernels can access
  /// @throws UsageError for other memory
  MeasureHistory(std::shared_ptr<memory::MemoryResource> memory, const MeasuredKinds& kinds);

  /// Whether reserve(states) would find that there is room already.
  bool has_room(grid::Index states) const { return rows_.has_room(states); }
  /// Makes room for that many more states. Only here memory is taken: not while work is queued, and before
  /// anything is captured.
  /// @returns true if the history has moved: what was captured before must be captured anew
  bool reserve(grid::Index states) { return rows_.reserve(states); }

  /// For the kernels that measure one state.
  double* slots() const { return rows_.slots(); }
  /// Enqueues: what is in the slots becomes the next state of the history, and they are empty again.
  void fold(const Exec& exec) const;

  /// The states since the start or the last reset, one behind the other. The queue must have drained.
  /// @throws UsageError if there were more than reserved
  std::vector<MeasuredWords> read() const;

  /// Back to no state; what was reserved stays. The queue must have drained.
  void reset() { rows_.reset(); }

  const MeasuredKinds& kinds() const { return kinds_; }

 private:
  grid::Index words() const { return kinds_.words(); }

  MeasuredKinds kinds_;
  detail::HistoryRows rows_;  // words() a state
};

}  // namespace haloheap::stencil

#endif
