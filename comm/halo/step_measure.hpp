// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_STEP_MEASURE_HPP
#define HALOHEAP_COMM_HALO_STEP_MEASURE_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/halo/grid_computation.hpp>
#include <haloheap/core/stencil/measure_history.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace haloheap::comm::detail {

/// What a measure says of the fields of all ranks, one state after another.
class StepMeasure {
 public:
  using Exec = backend::Exec;

  /// @param memory that kernels can access
  /// @param interval stages from one state to the next
  /// @param from stages that were done before, as GridSteps counts them
  /// @throws UsageError for bounds by which nothing can be summed
  StepMeasure(std::shared_ptr<memory::MemoryResource> memory, const GridMeasure& measure,
              const stencil::Subdomain& where, grid::Index interval = 1, grid::Index from = 0)
      : history_(std::move(memory), measure.measurement.kinds),
        measure_(measure.measurement.on(where)),
        interval_(interval),
        from_(from) {}

  /// From an empty history on, if it has as many values of the same kinds. The queue must have drained.
  /// @returns whether it has
  bool reuse(const GridMeasure& measure, const stencil::Subdomain& where) {
    if (history_.kinds() != measure.measurement.kinds) return false;
    measure_ = measure.measurement.on(where);
    history_.reset();
    return true;
  }

  /// Whether the state after so many stages is measured.
  bool due(grid::Index stages) const { return stages > from_ && (stages - from_) % interval_ == 0; }
  /// States after more than `stages` stages and up to `end`.
  grid::Index count(grid::Index stages, grid::Index end) const {
    return (end - from_) / interval_ - (stages - from_) / interval_;
  }
  /// Stages until the next one.
  grid::Index left(grid::Index stages) const { return interval_ - (stages - from_) % interval_; }
  /// Stages are counted from this one on.
  void restart(grid::Index stages) { from_ -= stages; }

  /// Makes room, as MeasureHistory.
  bool has_room(grid::Index states) const { return history_.has_room(states); }
  bool reserve(grid::Index states) { return history_.reserve(states); }
  const stencil::StateMeasure& measure() const { return *measure_; }
  /// For passes that measure the state that they leave, before it is folded.
  stencil::MeasureTarget target() const { return {measure_.get(), history_.slots()}; }
  /// Enqueues the measurement of one state, before it is folded.
  void enqueue(const Exec& exec, const void* fields) const { measure_->run(exec, fields, history_.slots()); }
  /// Enqueues: what was measured is the next state.
  void fold(const Exec& exec) const { history_.fold(exec); }

  /// Of all ranks, one a state. Collective; the queue must have drained.
  std::vector<std::vector<double>> read(const Communicator& communicator) const;

 private:
  stencil::MeasureHistory history_;
  std::unique_ptr<stencil::StateMeasure> measure_;
  grid::Index interval_, from_;
};

/// @param max_stages of a cycle between two exchanges
/// @param stages of a step
/// @throws UsageError if not every interval of so many steps ends before an exchange
void require_interval(grid::Index interval, int max_stages, int stages);

}  // namespace haloheap::comm::detail

#endif
