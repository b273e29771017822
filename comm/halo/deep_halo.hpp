// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_DEEP_HALO_HPP
#define HALOHEAP_COMM_HALO_DEEP_HALO_HPP

#include <haloheap/comm/halo/grid_step.hpp>
#include <haloheap/comm/halo/grid_steps.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/cells_of.hpp>
#include <haloheap/core/stencil/impose_constants.hpp>
#include <haloheap/core/stencil/kernel_passes.hpp>
#include <haloheap/core/stencil/rule_passes.hpp>
#include <haloheap/core/stencil/stages.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <exception>
#include <typeinfo>

namespace haloheap::comm {

/// The layout of the fields of a rule or kernel, for halos of this depth.
template <class Step>
grid::FieldLayout layout_of(const Grid& grid, int depth) {
  if constexpr (detail::CheckedStep<Step>::passed)
    return grid.layout(grid::Index{depth} * Step::radius, Step::Fields::count,
                       stencil::detail::smallest_value_bytes<typename Step::Fields>());
  else
    return {};
}

/// The same of a rule's constants.
template <GridStepWithConstants Step>
grid::FieldLayout constants_layout_of(const Grid& grid, int depth) {
  return grid.layout(grid::Index{depth} * Step::radius, Step::Constants::count,
                     sizeof(typename Step::Constants::type));
}

namespace detail {

/// @throws UsageError if the grid wraps around in dimensions in which it has sides, or has another number of
/// dimensions than the rule
void require_fitting_grid(const Grid& grid, const stencil::SideRules& sides, int dims);

/// None, if all have one type.
template <class Fields>
std::vector<StoredField> stored_fields_of() {
  std::vector<StoredField> stored;
  if constexpr (stencil::detail::is_mixed<Fields>) [&]<std::size_t... Field>(std::index_sequence<Field...>) {
      (stored.push_back({value_type_of<typename Fields::template stored<Field>>(),
                         static_cast<grid::Index>(Fields::value_bytes[Field])}),
       ...);
    }
  (std::make_index_sequence<static_cast<std::size_t>(Fields::count)>());
  return stored;
}

template <class Measure>
GridMeasure grid_measure(const Measure& measure) {
  using Fields = typename Measure::Fields;
  using Constants = stencil::detail::MeasuredConstants<Measure>;
  GridMeasure result{stencil::measurement_of(measure),
                     fields_text(Measure::dims, Fields::count, value_type_of<typename Fields::type>(),
                                 stored_fields_of<Fields>()),
                     ""};
  if constexpr (Constants::count > 0)
    result.constants =
        fields_text(Measure::dims, Constants::count, value_type_of<typename Constants::type>());
  return result;
}

/// @param computation of the step with these sides
template <class Step>
GridComputation on_grid(const Grid& grid, const stencil::SideRules& sides,
                        const stencil::Computation& computation) {
  GridComputation result;
  result.grid = grid;
  result.computation = computation;
  result.type = value_type_of<typename Step::Fields::type>();
  result.mixed = stored_fields_of<typename Step::Fields>();
  result.name = typeid(Step).name();
  result.terms = {{"what is computed", result.name}, {"sides", stencil::text_of(sides, Step::dims)}};
  result.check = [grid, sides] { require_fitting_grid(grid, sides, Step::dims); };
  result.facts = {result.computation.radius, result.computation.max_fused_steps, {}};
  for (int dim = 0; dim < Step::dims; ++dim) {
    if (sides.periodic(dim)) continue;
    result.facts.mirrors[dim] = GridStepWithConstants<Step>;
    for (int field = 0; field < result.computation.fields; ++field)
      for (const bool high : {false, true}) result.facts.mirrors[dim] |= sides.at(dim, high, field).mirrors();
  }
  return result;
}

/// The same with constants.
template <GridStepWithConstants Step>
GridComputation on_grid(const Grid& grid, const stencil::SideRules& sides,
                        const stencil::Computation& computation,
                        const FieldData<typename Step::Constants::type>& constants) {
  using C = typename Step::Constants;
  GridComputation result = on_grid<Step>(grid, sides, computation);
  result.constants = {constants, value_type_of<typename C::type>(), sizeof(typename C::type), C::count,
                      stencil::impose_constants<C, Step::dims, Step::radius>};
  result.terms.emplace_back("constants", std::to_string(C::count));
  return result;
}

/// @param constants fields of them, where the step has constants
template <class Step, class... Constants>
GridComputation computation_of(const Grid& grid, const Step& step, const stencil::SideRules& sides,
                               const Constants&... constants) {
  stencil::Computation computation;
  if constexpr (CheckedStep<Step>::passed) computation = stencil::computation_of(step, sides);
  return on_grid<Step>(grid, sides, computation, constants...);
}

/// The computation that `make` returns. What is wrong with it is thrown by its check, which all ranks come
/// to.
template <class Make>
GridComputation checked_later(const Grid& grid, const Make& make) {
  try {
    return make();
  } catch (const UsageError&) {
    GridComputation wrong;
    wrong.grid = grid;
    wrong.check = [error = std::current_exception()] { std::rethrow_exception(error); };
    return wrong;
  }
}

// The second argument stands for the type of the values.
GridComputation computation_of(const GridProblem& problem, float type);
GridComputation computation_of(const GridProblem& problem, double type);

}  // namespace detail

/// The same for an update rule or users' own kernels: see problem_of(GridProblem, DeepHaloConfig).
/// @throws UsageError if the sides do not fit the fields
template <GridStep Step>
std::optional<HaloProblem> problem_of(const Grid& grid, const Step& step, const stencil::SideRules& sides,
                                      const DeepHaloConfig& config) {
  return detail::problem_of(grid, detail::computation_of(grid, step, sides).facts, config);
}

/// Runs an update rule, or a stencil with constant coefficients, with deep halos: one exchange, then `depth`
/// sub-steps on boxes that shrink by the radius, so that neighbours' cells are computed twice instead of
/// being sent again. On physical sides there is nothing to compute twice: the box ends there, and the
/// boundary is imposed anew before each sub-step. Each pass over memory makes `fused_steps` sub-steps. A
/// sub-step is a step, or a stage of one that has several.
/// @tparam T the type of the values; std::byte for an update rule with fields of several types
template <class T>
class DeepHalo : public detail::GridSteps {
 public:
  /// Collective. `now` and `next` are device-accessible fields of problem.layout(config.depth); `now` holds
  /// the start values in its own cells. They must outlive this object, whose end is collective too, and so
  /// must the communicator.
  /// @throws UsageError before Kokkos is initialised or after it is finalised, and if problem_of finds a
  /// problem, a graph is wanted of exchanges that turn out to need the host, or a field is null or not of
  /// this layout (AgreedError if not all ranks are wrong); AgreedError that says what differs if the ranks
  /// were not given the same problem and configuration; else as HaloExchange
  DeepHalo(const Communicator& communicator, const GridProblem& problem, const DeepHaloConfig& config,
           const FieldData<T>& now, const FieldData<T>& next) requires std::floating_point<T>
      : GridSteps(communicator, detail::computation_of(problem, T{}), config, now, next) {}
  /// The same for an update rule (core/stencil/rule.hpp) or users' own kernels, one step a pass
  /// (core/stencil/box_kernel.hpp). Their fields are the quantities of `now` and `next`, in their order,
  /// with layout_of<Step>(grid, config.depth).
  /// @param sides what is outside the grid where it does not wrap around; grid.topology says where it does
  /// @throws also UsageError if the sides do not fit the fields or the topology (AgreedError if not all ranks
  /// are wrong)
  template <class Step>
  DeepHalo(const Communicator& communicator, const Grid& grid, const Step& step,
           const stencil::SideRules& sides, const DeepHaloConfig& config, const FieldData<T>& now,
           const FieldData<T>& next)
      : GridSteps(communicator,
                  detail::checked_later(grid, [&] { return detail::computation_of(grid, step, sides); }),
                  config, now, next) {
    static_assert(!GridStepWithConstants<Step>,
                  "a rule with constants is given their fields as well: DeepHalo(communicator, grid, rule, "
                  "sides, config, now, next, constants)");
  }
  /// The same for a rule, or kernels, with constants.
  /// @param constants fields with constants_layout_of<Step>(grid, config.depth), of which the own cells are
  /// set; the others are filled here. Outside the grid they mirror those inside. They must outlive this
  /// object.
  template <GridStepWithConstants Step>
  DeepHalo(const Communicator& communicator, const Grid& grid, const Step& step,
           const stencil::SideRules& sides, const DeepHaloConfig& config, const FieldData<T>& now,
           const FieldData<T>& next, const FieldData<typename Step::Constants::type>& constants)
      : GridSteps(
            communicator,
            detail::checked_later(grid, [&] { return detail::computation_of(grid, step, sides, constants); }),
            config, now, next) {}

  /// From the next advance on: the same rule with other parameters, or other sides. Collective: a reduction
  /// where the ranks agree. A graph is recorded anew.
  /// @throws UsageError for another type of rule, for sides that do not fit, and if problem_of finds a
  /// problem (AgreedError if not all ranks are wrong); AgreedError if the ranks were not given the same
  /// sides. Nothing is changed then
  template <GridStep Step>
  void replace(const Step& step, const stencil::SideRules& sides) {
    GridSteps::replace([&] { return detail::computation_of(grid(), step, sides); });
  }

  /// What a measure (core/stencil/measures.hpp) says of the fields of all ranks after the last step: sums
  /// with the same bits however the grid is divided, largest and smallest values. Collective, with the same
  /// measure; waits until all steps are done. It reads the fields once.
  /// @throws UsageError for a measure of other fields or with bounds by which nothing can be summed
  /// (AgreedError if not all ranks are wrong); AgreedError if the ranks' measures have other bounds or make
  /// something else of their values; CommunicationError if a neighbour has stayed silent
  template <class Measure>
  auto measure(const Measure& measure) {
    require_measure<Measure>();
    std::array<double, values_of<Measure>> values{};
    if constexpr (fits<Measure>) {
      const std::vector<double> found = GridSteps::measure(detail::grid_measure(measure));
      std::copy_n(found.begin(), values.size(), values.begin());
    }
    return values;
  }
  /// From the next advance on the fields are measured after each `interval`-th step from here, by a kernel
  /// behind the step or by the rule's own (stencil::measuring), for which nobody waits: see measured().
  /// Collective; what was measured before is forgotten. A measured step is the last before an exchange, so
  /// that the interval is a multiple of the depth. After an advance that ended in between, one exchange is
  /// followed by fewer steps.
  /// @throws UsageError for another interval, and as `measure`
  template <class Measure>
  void measure_each(grid::Index interval, const Measure& measure) {
    require_measure<Measure>();
    if constexpr (fits<Measure>) GridSteps::measure_each(interval, detail::grid_measure(measure));
  }

  /// The field after the last step. For who writes its ghost cells: see `refresh`.
  T* now() const { return static_cast<T*>(now_memory()); }
  /// The other field; free between advances.
  T* next() const { return static_cast<T*>(next_memory()); }

 private:
  template <class Measure>
  static constexpr bool same_values = [] {
    if constexpr (stencil::detail::NamesFields<Measure>)
      return std::same_as<stencil::detail::ArrayValue<typename Measure::Fields>, T>;
    else
      return false;
  }();
  template <class Measure>
  static constexpr bool fits = stencil::CellMeasure<Measure>&& same_values<Measure>;
  template <class Measure>
  static constexpr std::size_t values_of = [] {
    if constexpr (fits<Measure>)
      return static_cast<std::size_t>(Measure::Measures::count);
    else
      return std::size_t{1};
  }();
  template <class Measure>
  static constexpr void require_measure() {
    if constexpr (stencil::detail::CheckedMeasure<Measure>::passed)
      static_assert(same_values<Measure>,
                    "a measure has the fields of the rule that it measures: using Fields = Rule::Fields");
  }
};

/// The type of the values is that of the fields.
template <stencil::detail::NamesFields Step, class... Data>
DeepHalo(const Communicator&, const Grid&, const Step&, const stencil::SideRules&, const DeepHaloConfig&,
         Data&&...) -> DeepHalo<stencil::detail::ArrayValue<typename Step::Fields>>;

}  // namespace haloheap::comm

#endif
