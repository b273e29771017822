// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_GRID_STEPS_HPP
#define HALOHEAP_COMM_HALO_GRID_STEPS_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/halo/constants_halo.hpp>
#include <haloheap/comm/halo/cycle_passes.hpp>
#include <haloheap/comm/halo/grid_computation.hpp>
#include <haloheap/comm/halo/halo_exchange.hpp>
#include <haloheap/comm/halo/step_count.hpp>
#include <haloheap/comm/halo/step_measure.hpp>
#include <haloheap/core/backend/graph.hpp>
#include <haloheap/core/stencil/residual_history.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace haloheap::comm::detail {

/// What DeepHalo is, whatever the type of the values. Below its interface, and in its configuration, a step
/// is a stage: a step that has several is so many.
class GridSteps {
 public:
  using Exec = backend::Exec;

  /// @throws as DeepHalo
  GridSteps(const Communicator& communicator, const GridComputation& setup, const DeepHaloConfig& config,
            const FieldMemory& now, const FieldMemory& next);
  /// Waits for what was enqueued, as `finish`. An error that nobody has been told of is said on stderr: call
  /// `finish` to have it as an exception.
  ~GridSteps();
  GridSteps(const GridSteps&) = delete;
  GridSteps& operator=(const GridSteps&) = delete;

  /// Enqueues `steps` steps. @throws CommunicationError if a neighbour stays silent. The last exchange is
  /// followed by fewer sub-steps if depth does not divide steps. `on_exchange`, if given, is called with the
  /// number of whole steps enqueued so far after each exchange. With a residual, an advance beyond the steps
  /// that there has been room for waits first until those before it are done.
  void advance(grid::Index steps, const std::function<void(grid::Index)>& on_exchange = {});

  /// Waits until all steps are done. @throws CommunicationError if a neighbour has stayed silent
  void finish();

  /// What this rank adds to the sum of squares, a step; after finish. Shares of all ranks are to be added
  /// part by part.
  std::vector<stencil::ResidualSum> residuals();
  /// Forgets the sums so far, once all steps are done. Between advances only.
  void reset_residuals();

  /// What `measure_each` has measured since, one state after another, of all ranks. Collective; after finish.
  /// @throws UsageError if nothing was to be measured
  std::vector<std::vector<double>> measured();

  /// Steps are counted from 0 again, for a rule that asks for their number: before a run from new start
  /// values. Waits until all steps are done. Between advances only.
  void restart();
  /// Since then, or since this was made: whole steps that were enqueued.
  grid::Index steps_made() const { return made_; }

  /// To be called on all ranks, between the same two advances, if any rank writes ghost cells of now()
  /// between these: a new start value in the whole field, say. Neighbours then store into them only when this
  /// rank's next advance has begun. Without it they may do so at any time after their own last advance, where
  /// fused_steps == depth (one pass a cycle needs no handshake else), and what they stored would be lost.
  /// Call `finish` before you write, and end your own writes (a fence) before the next advance. Own cells may
  /// be written so without this.
  void refresh() { exchange_.forget_last(); }

  /// To be called on all ranks, between the same two advances, if any rank has changed own cells of the
  /// constants: their halo is filled anew. Call `finish` before you write, and end your own writes (a fence)
  /// before this. Waits until it is done. @throws CommunicationError if a neighbour stays silent
  void refresh_constants();

  PhaseTimer& timer() { return timer_; }
  const HaloPlan& plan() const { return plan_; }
  const HaloExchange& exchange_path() const { return exchange_; }
  /// Cell updates that a neighbour makes too, as a fraction of all that this rank makes in a whole cycle.
  double redundant_fraction() const;

 protected:
  const Grid& grid() const { return grid_; }
  void* now_memory() const { return now_; }
  void* next_memory() const { return next_; }
  void replace(const std::function<GridComputation()>& make);
  std::vector<double> measure(const GridMeasure& measure);
  void measure_each(grid::Index interval, const GridMeasure& measure);

 private:
  bool sums_apart() const;
  /// Of so many steps, after others.
  Cycle cycle_of(int steps, grid::Index after) const;
  bool measured_within(int steps, grid::Index after) const;
  stencil::PassTargets targets(const Pass& pass, const Cycle& cycle) const;
  grid::Box substep_box(int step, int steps) const;
  grid::Box interior_box(int pass, const Cycle& cycle) const;
  void advance_stages(grid::Index steps, const std::function<void(grid::Index)>& on_exchange);
  int next_cycle(grid::Index left) const;
  void run(const Cycle& cycle);
  void exchange();
  int overlapped_passes(const Cycle& cycle);
  void interior_passes(int count, const Cycle& cycle);
  void frame_passes(int count, const Cycle& cycle);
  void whole_pass(const Pass& pass, const Cycle& cycle);
  void sweep(const Exec& exec, const void* in, void* out, std::span<const grid::Box> boxes, const Pass& pass,
             const Cycle& cycle) const;
  bool replay(grid::Index left);
  void check();
  grid::Index summed(grid::Index steps) const;
  std::vector<int> summed_steps(int count) const;
  stencil::ResidualTarget residual_target(int step) const;
  std::vector<int> measured_steps(int count) const;
  void make_room(grid::Index steps);
  void require_fields(const GridMeasure& measure) const;
  void swap() { std::swap(now_, next_); }

  const Communicator& communicator_;
  Grid grid_;
  HaloPlan plan_;  // the first that is made: what the ranks were given must fit before anything else is
  DeepHaloConfig config_;
  int radius_;
  grid::FieldLayout layout_;
  void *now_, *next_;
  grid::Index made_ = 0;
  grid::Index since_ = 0;          // stages since the first that could be summed
  std::optional<StepCount> done_;  // where the computation asks for the number of a step
  stencil::Subdomain where_;
  grid::Box inside_;                             // the whole grid in local coordinates
  int stages_;                                   // of a step
  std::string name_, fields_, constant_fields_;  // of the rule, and see fields_text
  std::unique_ptr<stencil::Passes> passes_;
  PhaseTimer timer_;
  std::optional<stencil::ResidualHistory> residuals_;
  std::unique_ptr<StepMeasure> once_, measure_;  // between advances, and each so many steps
  backend::Instance compute_{backend::Priority::low}, border_{backend::Priority::high};
  backend::Event computed_, packed_, bordered_;
  std::vector<backend::Event> filled_;  // a pass: the interior has what it needs
  bool told_ = false;                   // of a lost neighbour, by an exception
  HaloExchange exchange_;
  std::optional<ConstantsHalo> constants_;
  // For each field that may be `now` when they start, the steps that are summed, and those that are measured.
  std::map<std::tuple<const void*, std::vector<int>, std::vector<int>>, backend::Graph> graphs_;
};

}  // namespace haloheap::comm::detail

#endif
