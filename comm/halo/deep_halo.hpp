// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_DEEP_HALO_HPP
#define HALOHEAP_COMM_HALO_DEEP_HALO_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/exchange.hpp>
#include <haloheap/comm/halo/cycle_passes.hpp>
#include <haloheap/comm/halo/deep_halo_config.hpp>
#include <haloheap/comm/halo/halo_exchange.hpp>
#include <haloheap/comm/halo/step_count.hpp>
#include <haloheap/core/backend/graph.hpp>
#include <haloheap/core/stencil/kernel_passes.hpp>
#include <haloheap/core/stencil/residual_history.hpp>
#include <haloheap/core/stencil/rule_passes.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace haloheap::comm {

namespace detail {

/// A computation on a grid, as DeepHalo runs it.
template <class T>
struct DeepHaloSetup {
  Grid grid;
  stencil::Computation<T> computation;
  StepFacts facts;
  std::vector<std::pair<std::string, std::string>> terms;  ///< what the ranks must agree on, with names
  std::function<void()> check;                             ///< throws what else forbids it
};

/// @throws UsageError if the grid wraps around in dimensions in which it has sides, or has another number of
/// dimensions than the rule
void require_fitting_grid(const Grid& grid, const stencil::SideRules& sides, int dims);

template <class Step>
DeepHaloSetup<typename Step::Fields::type> setup_of(const Grid& grid, const Step& step,
                                                    const stencil::SideRules& sides);

}  // namespace detail

/// What DeepHalo computes: an update rule, or users' own kernels.
template <class Step>
concept GridStep = stencil::UpdateRule<Step> || stencil::BoxKernel<Step>;

/// The layout of the fields of a rule or kernel, for halos of this depth.
template <GridStep Step>
grid::FieldLayout layout_of(const Grid& grid, int depth) {
  return grid.layout(grid::Index{depth} * Step::radius, Step::Fields::count,
                     sizeof(typename Step::Fields::type));
}

/// Runs an update rule, or a stencil with constant coefficients, with deep halos: one exchange, then `depth`
/// sub-steps on boxes that shrink by the radius, so that neighbours' cells are computed twice instead of
/// being sent again. On physical sides there is nothing to compute twice: the box ends there, and the
/// boundary is imposed anew before each sub-step. Each pass over memory makes `fused_steps` sub-steps.
template <class T>
class DeepHalo {
 public:
  using Exec = backend::Exec;

  /// Collective. `now` and `next` are device-accessible fields of problem.layout(config.depth); `now` holds
  /// the start values in its own cells. They must outlive this object, whose end is collective too, and so
  /// must the communicator.
  /// @throws UsageError before Kokkos is initialised or after it is finalised, and if problem_of finds a
  /// problem, a graph is wanted of exchanges that turn out to need the host, or a field is null or not of
  /// this layout (AgreedError if not all ranks are wrong); AgreedError that says what differs if the ranks
  /// were not given the same problem and configuration; else as HaloExchange
  DeepHalo(const Communicator& communicator, const GridProblem& problem, const DeepHaloConfig& config,
           const FieldData<T>& now, const FieldData<T>& next);
  /// The same for an update rule (core/stencil/rule.hpp) or users' own kernels, one step a pass
  /// (core/stencil/kernel_passes.hpp). Their fields are the quantities of `now` and `next`, in their order,
  /// with layout_of<Step>(grid, config.depth).
  /// @param sides what is outside the grid where it does not wrap around; grid.topology says where it does
  /// @throws also UsageError if the sides do not fit the fields or the topology
  template <GridStep Step>
  DeepHalo(const Communicator& communicator, const Grid& grid, const Step& step,
           const stencil::SideRules& sides, const DeepHaloConfig& config, const FieldData<T>& now,
           const FieldData<T>& next)
      : DeepHalo(communicator, detail::setup_of(grid, step, sides), config, now, next) {}
  /// Waits for what was enqueued, as `finish`. An error that nobody has been told of is said on stderr: call
  /// `finish` to have it as an exception.
  ~DeepHalo();
  DeepHalo(const DeepHalo&) = delete;
  DeepHalo& operator=(const DeepHalo&) = delete;

  /// Enqueues `steps` steps. @throws CommunicationError if a neighbour stays silent. The last exchange is
  /// followed by fewer sub-steps if depth does not divide steps. `on_exchange`, if given, is called with the
  /// number of steps enqueued so far after each exchange. With a residual, an advance beyond the steps that
  /// there has been room for waits first until those before it are done.
  void advance(grid::Index steps, const std::function<void(grid::Index)>& on_exchange = {});

  /// Waits until all steps are done. @throws CommunicationError if a neighbour has stayed silent
  void finish();

  /// What this rank adds to the sum of squares, a step; after finish. Shares of all ranks are to be added
  /// part by part.
  std::vector<stencil::ResidualSum> residuals();
  /// Forgets the sums so far, once all steps are done. Between advances only.
  void reset_residuals();

  /// To be called on all ranks, between the same two advances, if any rank writes ghost cells of now()
  /// between these: a new start value in the whole field, say. Neighbours then store into them only when this
  /// rank's next advance has begun. Without it they may do so at any time after their own last advance, where
  /// fused_steps == depth (one pass a cycle needs no handshake else), and what they stored would be lost.
  /// Call `finish` before you write, and end your own writes (a fence) before the next advance. Own cells may
  /// be written so without this.
  void refresh() { exchange_.forget_last(); }

  /// The field after the last step. For who writes its ghost cells: see `refresh`.
  T* now() const { return now_; }
  /// The other field; free between advances.
  T* next() const { return next_; }

  PhaseTimer& timer() { return timer_; }
  const HaloPlan& plan() const { return plan_; }
  const HaloExchange& exchange_path() const { return exchange_; }
  /// Cell updates that a neighbour makes too, as a fraction of all that this rank makes in a whole cycle.
  double redundant_fraction() const;

 private:
  DeepHalo(const Communicator& communicator, const detail::DeepHaloSetup<T>& setup,
           const DeepHaloConfig& config, const FieldData<T>& now, const FieldData<T>& next);

  /// Number `number`, from 1 on, of a cycle of so many steps.
  detail::Pass pass(int number, int steps) const;
  int passes(int steps) const;

  grid::Box substep_box(int step, int steps) const;
  grid::Box interior_box(int pass, int steps) const;
  void cycle(int steps);
  void exchange();
  int overlapped_passes(int steps);
  void interior_passes(int count, int steps);
  void frame_passes(int count, int steps);
  void whole_pass(const detail::Pass& pass, int steps);
  void sweep(const Exec& exec, const T* in, T* out, std::span<const grid::Box> boxes,
             const detail::Pass& pass) const;
  grid::Index replay(grid::Index steps, const std::function<void(grid::Index)>& on_exchange);
  void check();
  stencil::ResidualTarget residual_target(int step) const;
  void swap() { std::swap(now_, next_); }

  HaloPlan plan_;  // the first that is made: what the ranks were given must fit before anything else is
  DeepHaloConfig config_;
  int radius_;
  grid::FieldLayout layout_;
  T *now_, *next_;
  std::optional<detail::StepCount> done_;  // where the computation asks for the number of a step
  grid::Box inside_;                       // the whole grid in local coordinates
  std::unique_ptr<stencil::Passes<T>> passes_;
  PhaseTimer timer_;
  std::optional<stencil::ResidualHistory> residuals_;
  backend::Instance compute_{backend::Priority::low}, border_{backend::Priority::high};
  backend::Event computed_, packed_, bordered_;
  std::vector<backend::Event> filled_;  // a pass: the interior has what it needs
  bool told_ = false;                   // of a lost neighbour, by an exception
  HaloExchange exchange_;
  std::map<const T*, backend::Graph> graphs_;  // for each field that may be `now` when it starts
};

/// The type of the values is that of the fields.
template <GridStep Step, class... Data>
DeepHalo(const Communicator&, const Grid&, const Step&, const stencil::SideRules&, const DeepHaloConfig&,
         Data&&...) -> DeepHalo<typename Step::Fields::type>;

namespace detail {

template <class Step>
DeepHaloSetup<typename Step::Fields::type> setup_of(const Grid& grid, const Step& step,
                                                    const stencil::SideRules& sides) {
  auto computation = stencil::computation_of(step, sides);
  StepFacts facts{computation.radius, computation.max_fused_steps, {}};
  for (int dim = 0; dim < Step::dims; ++dim)
    for (int field = 0; field < computation.fields && !sides.periodic(dim); ++field)
      for (const bool high : {false, true}) facts.mirrors[dim] |= sides.at(dim, high, field).mirrors();
  return {grid, std::move(computation), facts, {{"what is computed", typeid(Step).name()}}, [grid, sides] {
            require_fitting_grid(grid, sides, Step::dims);
          }};
}

}  // namespace detail

/// The same for an update rule or users' own kernels: see problem_of(GridProblem, DeepHaloConfig).
/// @throws UsageError if the sides do not fit the fields
template <GridStep Step>
std::optional<HaloProblem> problem_of(const Grid& grid, const Step& step, const stencil::SideRules& sides,
                                      const DeepHaloConfig& config) {
  return detail::problem_of(grid, detail::setup_of(grid, step, sides).facts, config);
}

extern template class DeepHalo<float>;
extern template class DeepHalo<double>;

}  // namespace haloheap::comm

#endif
