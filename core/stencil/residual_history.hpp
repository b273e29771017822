// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RESIDUAL_HISTORY_HPP
#define HALOHEAP_CORE_STENCIL_RESIDUAL_HISTORY_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/stencil/history_rows.hpp>
#include <haloheap/core/stencil/residual.hpp>

#include <memory>
#include <vector>

namespace haloheap::stencil {

/// This rank's residual sums of a run, step by step, kept where the kernels run: the host waits for none of
/// them. Sweeps add to one of a few sets of slots (a ring); now and then `fold` appends the sums of the sets
/// to the history. Where it appends stands in device memory, so that a fold can be replayed as part of a
/// graph.
class ResidualHistory {
 public:
  using Exec = backend::Exec;

  /// @param memory that kernels can access
  /// @param ring sets of slots: steps from one fold to the next, at most
  /// @throws UsageError for an empty ring or other memory
  ResidualHistory(std::shared_ptr<memory::MemoryResource> memory, int ring, const ResidualScale& scale,
                  const grid::Box& counted);

  /// Whether reserve(steps) would find that there is room already.
  bool has_room(grid::Index steps) const { return rows_.has_room(steps); }
  /// Makes room for that many more steps. Only here memory is taken: not while work is queued, and before
  /// anything is captured.
  /// @returns true if the history has moved: what was captured before must be captured anew
  bool reserve(grid::Index steps) { return rows_.reserve(steps); }

  /// Set `k` of the ring, for the sweeps of one step. @throws UsageError unless 0 <= k < ring()
  ResidualTarget target(int k) const;

  /// Enqueues: the sums of the sets 0 to count - 1 become the next `count` steps of the history, and the sets
  /// are zero again. @throws UsageError unless 0 <= count <= ring()
  void fold(const Exec& exec, int count) const;

  /// One sum a step since the start or the last reset. The queue must have drained.
  /// @throws UsageError if there were more steps than reserved
  std::vector<ResidualSum> read() const;

  /// Back to step 0; what was reserved stays. The queue must have drained.
  void reset() { rows_.reset(); }

  int ring() const { return ring_; }
  const ResidualScale& scale() const { return scale_; }

 private:
  int ring_;
  ResidualScale scale_;
  grid::Box counted_;
  detail::HistoryRows rows_;  // residual_parts a step
};

}  // namespace haloheap::stencil

#endif
