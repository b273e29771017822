// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_MEASURING_HPP
#define HALOHEAP_CORE_STENCIL_MEASURING_HPP

#include <haloheap/core/stencil/measures.hpp>
#include <haloheap/core/stencil/rule.hpp>

#include <type_traits>

namespace haloheap::stencil {

/// What measuring() is given for kernels of several steps that add the squares of what the last one changes
/// to a residual.
struct Residual {};

namespace detail {

/// Whether a measure is one of the fields, constants and dimensions of a rule.
template <class Rule, class Measure>
constexpr bool measures_rule() {
  using OfRule = typename ConstantsOfRule<Rule>::type;
  using OfMeasure = typename ConstantsOfRule<Measure>::type;
  return same_fields<typename Rule::Fields, typename Measure::Fields> && Rule::dims == Measure::dims &&
         (OfMeasure::count == 0 || same_fields<OfRule, OfMeasure>);
}

/// Whether the kernels of a rule can measure this; true if other sentences say what is wrong.
template <class Rule, class Measure>
constexpr bool can_measure() {
  if constexpr (!UpdateRule<Rule> || std::is_same_v<Measure, Residual>)
    return true;
  else if constexpr (CheckedMeasure<Measure>::passed)
    return measures_rule<Rule, Measure>();
  else
    return true;
}
template <class Rule, class Measure>
constexpr bool can_sum() {
  if constexpr (UpdateRule<Rule> && std::is_same_v<Measure, Residual>)
    return RuleTraits<Rule>::has_residual;
  else
    return true;
}

}  // namespace detail

/// An update rule whose kernels measure, too: see measuring().
template <class Rule, class Measure>
struct MeasuringRule : Rule {
  static_assert(
      detail::can_measure<Rule, Measure>(),
      "a rule's kernels measure its own fields: the measure has using Fields = Rule::Fields; static "
      "constexpr int dims = Rule::dims, and where it asks for constants using Constants = "
      "Rule::Constants");
  static_assert(detail::can_sum<Rule, Measure>(),
                "a rule whose kernels add to a residual has one stage, and all its fields are floats or all "
                "are doubles");

  HALOHEAP_FUNCTION constexpr explicit MeasuringRule(const Rule& rule) : Rule(rule) {}
};

/// The same rule, with kernels beside the others that measure what their last step leaves, where they have
/// its values at hand. `measure_each` of DeepHalo uses them if it is given a measure of this type, and
/// nothing is read once more. With stencil::Residual for a measure, passes of several steps add to the
/// residual of DeepHaloConfig, and a step that is summed is no pass by itself. On a device in three
/// dimensions it stays one, and a measure has a kernel behind the pass: the planes of all steps fill the
/// registers.
///
///     comm::DeepHalo steps(world, grid, stencil::measuring<Heat>(Diffusion{}), sides, config, now, next);
///     steps.measure_each(8, Heat{});
///
/// Its type is another one than that of the rule: `replace` is given `measuring<Heat>(...)`, too. A build
/// with contracted multiplications and additions may round what is measured, and even what is computed, in
/// another way; haloheap::equal_bits forbids these.
template <class Measure, class Rule>
constexpr MeasuringRule<Rule, Measure> measuring(const Rule& rule) {
  return MeasuringRule<Rule, Measure>(rule);
}

namespace detail {

/// What the kernels of a rule can measure.
template <class Rule>
struct MeasureOfRule {
  using type = void;
};
template <class Rule, class Measure>
struct MeasureOfRule<MeasuringRule<Rule, Measure>> {
  using type = Measure;
};
template <class Rule>
inline constexpr bool sums_on_the_way = std::is_same_v<typename MeasureOfRule<Rule>::type, Residual>;
template <class Rule>
inline constexpr bool measures_on_the_way =
    !std::is_void_v<typename MeasureOfRule<Rule>::type> && !sums_on_the_way<Rule>;

}  // namespace detail
}  // namespace haloheap::stencil

#endif
