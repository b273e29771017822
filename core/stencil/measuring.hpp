// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_MEASURING_HPP
#define HALOHEAP_CORE_STENCIL_MEASURING_HPP

#include <haloheap/core/stencil/measures.hpp>
#include <haloheap/core/stencil/rule.hpp>

namespace haloheap::stencil {

/// An update rule whose kernels measure, too: see measuring().
template <UpdateRule Rule, CellMeasure Measure>
struct MeasuringRule : Rule {
  using Measured = Measure;

  static_assert(detail::same_fields<typename Rule::Fields, typename Measure::Fields> &&
                    Rule::dims == Measure::dims,
                "a measure names the fields and dimensions of the rule that it measures: using Fields = "
                "Rule::Fields; static constexpr int dims = Rule::dims");

  HALOHEAP_FUNCTION constexpr explicit MeasuringRule(const Rule& rule) : Rule(rule) {}
};

/// The same rule, with kernels that can measure what their last step leaves, where they have its values in
/// registers: `measure_each(interval, Measure{...})` then reads nothing again, and costs next to nothing of
/// largest and smallest values. They are compiled beside those that do not measure.
///
///     comm::DeepHalo steps(world, grid, stencil::measuring<Heat>(Diffusion{}), sides, config, now, next);
///     steps.measure_each(8, Heat{});
template <CellMeasure Measure, UpdateRule Rule>
constexpr MeasuringRule<Rule, Measure> measuring(const Rule& rule) {
  return MeasuringRule<Rule, Measure>(rule);
}

namespace detail {

template <class Rule>
inline constexpr bool measures_on_the_way = requires {
  typename Rule::Measured;
};

}  // namespace detail
}  // namespace haloheap::stencil

#endif
