// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_MEASURING_HPP
#define HALOHEAP_CORE_STENCIL_MEASURING_HPP

#include <haloheap/core/stencil/measures.hpp>
#include <haloheap/core/stencil/rule.hpp>

#include <type_traits>

namespace haloheap::stencil {

namespace detail {

/// Whether a measure is one of the fields, constants and dimensions of a rule.
template <class Rule, class Measure>
constexpr bool measures_rule() {
  using OfRule = typename ConstantsOfRule<Rule>::type;
  using OfMeasure = typename ConstantsOfRule<Measure>::type;
  return same_fields<typename Rule::Fields, typename Measure::Fields> && Rule::dims == Measure::dims &&
         (OfMeasure::count == 0 || same_fields<OfRule, OfMeasure>);
}

}  // namespace detail

/// An update rule whose kernels measure, too: see measuring().
template <class Rule, class Measure>
struct MeasuringRule : Rule {
  static constexpr bool fits = [] {
    if constexpr (detail::CheckedMeasure<Measure>::passed && UpdateRule<Rule>)
      return detail::measures_rule<Rule, Measure>();
    else
      return true;  // other sentences say what is wrong
  }();
  static_assert(
      fits,
      "a rule's kernels measure its own fields: the measure has using Fields = Rule::Fields; static "
      "constexpr int dims = Rule::dims, and where it asks for constants using Constants = "
      "Rule::Constants");

  HALOHEAP_FUNCTION constexpr explicit MeasuringRule(const Rule& rule) : Rule(rule) {}
};

/// The same rule, with kernels beside the others that measure what their last step leaves, where they have
/// its values at hand. `measure_each` of DeepHalo uses them if it is given a measure of this type, and
/// nothing is read once more.
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
inline constexpr bool measures_on_the_way = !std::is_void_v<typename MeasureOfRule<Rule>::type>;

}  // namespace detail
}  // namespace haloheap::stencil

#endif
