// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_ADVISE_STEPS_ADVICE_HPP
#define HALOHEAP_COMM_ADVISE_STEPS_ADVICE_HPP

#include <haloheap/comm/advise/halo_adviser.hpp>
#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/core/memory/array.hpp>

#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace haloheap::comm {

/// How an update rule is advised on.
struct AdviceOptions {
  double seconds = 30;         ///< after which nothing more is measured; what has begun is finished
  DeepHaloConfig config = {};  ///< what is not chosen below: message mode, buffers, timeout ...
  /// Where the fields of the run will be, since not every transport takes any memory: memory "device" is that
  /// of memory::DeviceSpace. Null: where a Kokkos::View<T*> has them.
  std::shared_ptr<memory::MemoryResource> fields = nullptr;
  std::vector<int> depths = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};  ///< rising
  std::vector<int> fused_steps = {1, 2, 3, 4, 6, 8};                     ///< rising
  std::vector<Exchange> exchanges = {Exchange::sync, Exchange::async};
  std::vector<Overlap> overlaps = {Overlap::none, Overlap::first_step, Overlap::all_steps};
  std::vector<std::string> transports = {};  ///< none: all that there are
  std::vector<bool> graphs = {false, true};
};

/// What was found out about an update rule on this machine.
struct StepsAdvice {
  /// AdviceOptions::config with the depth, fused steps, exchange, overlap, transport and graph that are the
  /// fastest of those that were measured. The same on all ranks.
  DeepHaloConfig config;
  double step_seconds = 0;  ///< of a step with it
  HaloAdvice found;         ///< all candidates, the best first, and the costs that predict them
  std::map<std::string, std::string> missing;  ///< what could not be run, with the reason
  bool time_is_up = false;                     ///< some candidates were not measured for want of time

  /// The best so many that were measured as a table, and what is missing: for a person.
  std::string text(int rows = 10) const;
};

namespace detail {

/// A deep halo with fields of its own.
class OwnedSteps {
 public:
  virtual ~OwnedSteps() = default;
  virtual GridSteps& steps() = 0;
};

/// What advice needs of a rule.
struct AdvisedRule {
  Grid grid;
  stencil::Computation computation;
  StepFacts facts;
  /// Takes memory and fills it: what may fail on one rank alone. Not collective.
  std::function<void(const DeepHaloConfig&)> prepare;
  /// Collective, behind `prepare`.
  std::function<std::unique_ptr<OwnedSteps>(const DeepHaloConfig&)> make;
};

/// @throws as advise
StepsAdvice advise_steps(const Communicator& communicator, const AdvisedRule& rule,
                         const AdviceOptions& options);

template <class T>
class AdvisedField {
 public:
  AdvisedField(const std::shared_ptr<memory::MemoryResource>& resource, std::size_t size) {
    if (resource)
      array_.emplace(resource, "haloheap::comm::advise", size);
    else
      view_ = View(Kokkos::view_alloc("haloheap::comm::advise", Kokkos::WithoutInitializing), size);
  }

  T* start() const { return array_ ? array_->data() : view_.data(); }
  operator FieldData<T>() const { return array_ ? FieldData<T>(*array_) : FieldData<T>(view_); }

 private:
  using View = Kokkos::View<T*, backend::Exec>;

  std::optional<memory::Array<T>> array_;
  View view_;
};

/// The fields of a rule, and of its constants if it has any.
template <class Step>
struct AdvisedFields {
  using Value = stencil::detail::ArrayValue<typename Step::Fields>;
  using Constant = typename stencil::detail::ConstantsOfRule<Step>::type::type;
  std::vector<AdvisedField<Value>> fields;
  std::vector<AdvisedField<Constant>> constants;
};

/// Takes memory for one more, and fills it.
template <class T, class Fill>
void add_field(std::vector<AdvisedField<T>>& fields, const AdviceOptions& options, grid::Index size,
               const grid::FieldLayout& layout, const Fill& fill) {
  fill(fields.emplace_back(options.fields, static_cast<std::size_t>(size)).start(), layout);
}

template <class Step>
class AdvisedSteps final : public OwnedSteps {
 public:
  AdvisedSteps(AdvisedFields<Step>&& fields, const Communicator& communicator, const Grid& grid,
               const Step& step, const stencil::SideRules& sides, const DeepHaloConfig& config)
      : fields_(std::move(fields)), steps_(made(fields_, communicator, grid, step, sides, config)) {}

  GridSteps& steps() override { return steps_; }

 private:
  using Steps = DeepHalo<typename AdvisedFields<Step>::Value>;

  static Steps made(AdvisedFields<Step>& of, const Communicator& communicator, const Grid& grid,
                    const Step& step, const stencil::SideRules& sides, const DeepHaloConfig& config) {
    if constexpr (GridStepWithConstants<Step>)
      return Steps(communicator, grid, step, sides, config, of.fields[0], of.fields[1], of.constants[0]);
    else
      return Steps(communicator, grid, step, sides, config, of.fields[0], of.fields[1]);
  }

  AdvisedFields<Step> fields_;
  Steps steps_;
};

/// @param fill_constants of a rule with constants
template <class Step, class Fill, class... FillConstants>
StepsAdvice advise_on_rule(const Communicator& communicator, const Grid& grid, const Step& step,
                           const stencil::SideRules& sides, const AdviceOptions& options, const Fill& fill,
                           const FillConstants&... fill_constants) {
  const stencil::Computation computation = stencil::computation_of(step, sides);
  AdvisedFields<Step> made;  // by `prepare`, for `make`
  AdvisedRule rule{grid, computation, on_grid<Step>(grid, sides, computation).facts, {}, {}};
  rule.prepare = [&](const DeepHaloConfig& config) {
    made = {};
    const grid::FieldLayout layout = layout_of<Step>(grid, config.depth);
    for (int i = 0; i < 2; ++i)
      add_field(made.fields, options, stencil::array_size<Step>(layout), layout, fill);
    if constexpr (sizeof...(FillConstants) > 0) {
      const grid::FieldLayout of_constants = constants_layout_of<Step>(grid, config.depth);
      (add_field(made.constants, options, of_constants.size(), of_constants, fill_constants), ...);
    }
  };
  rule.make = [&](const DeepHaloConfig& config) -> std::unique_ptr<OwnedSteps> {
    return std::make_unique<AdvisedSteps<Step>>(std::move(made), communicator, grid, step, sides, config);
  };
  return advise_steps(communicator, rule, options);
}

}  // namespace detail

/// Measures how an update rule, or users' own kernels, run fastest with deep halos on these ranks: in short
/// runs of the rule itself, on fields that are made for them. Collective, with the same arguments on all
/// ranks.
///
///     const StepsAdvice advice = advise(communicator, grid, rule, sides, fill, {.seconds = 20});
///     if (communicator.rank() == 0) std::fputs(advice.text().c_str(), stdout);
///     const auto layout = layout_of<Rule>(grid, advice.config.depth);  // of now and next
///     DeepHalo steps(communicator, grid, rule, sides, advice.config, now, next);
///
/// @param fill called as fill(field, layout), sets the own cells of a field (memory that kernels reach, with
/// layout_of<Step>(grid, depth)) to values with which a step takes the time that it usually takes; what it
/// enqueues is done when it returns
/// @throws CapabilityError, on all ranks, if nothing that may be chosen could be measured, with the reasons;
/// UsageError for sides that do not fit the rule or the grid, and for options that leave no choice;
/// CommunicationError if a neighbour stays silent
template <class Step, class Fill>
StepsAdvice advise(const Communicator& communicator, const Grid& grid, const Step& step,
                   const stencil::SideRules& sides, const Fill& fill, const AdviceOptions& options = {}) {
  static_assert(
      !GridStepWithConstants<Step>,
      "a rule with constants is given what fills these as well: advise(communicator, grid, rule, sides, "
      "fill, fill_constants, options)");
  if constexpr (detail::CheckedStep<Step>::passed && !GridStepWithConstants<Step>)
    return detail::advise_on_rule(communicator, grid, step, sides, options, fill);
  else
    return {};
}

/// The same for a rule, or kernels, with constants.
/// @param fill_constants as `fill`, for fields with constants_layout_of<Step>(grid, depth)
template <GridStepWithConstants Step, class Fill, class FillConstants>
requires std::invocable<const FillConstants&, typename Step::Constants::type*, const grid::FieldLayout&>
    StepsAdvice advise(const Communicator& communicator, const Grid& grid, const Step& step,
                       const stencil::SideRules& sides, const Fill& fill, const FillConstants& fill_constants,
                       const AdviceOptions& options = {}) {
  return detail::advise_on_rule(communicator, grid, step, sides, options, fill, fill_constants);
}

}  // namespace haloheap::comm

#endif
