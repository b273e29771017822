// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_STAGES_HPP
#define HALOHEAP_CORE_STENCIL_STAGES_HPP

#include <haloheap/core/stencil/applied_rule.hpp>
#include <haloheap/core/stencil/outside.hpp>
#include <haloheap/core/stencil/rule.hpp>

#include <algorithm>

namespace haloheap::stencil {

namespace detail {

/// Rules one behind the other, by value: std::tuple is not trivially copyable.
template <class First, class... More>
struct RuleList {
  First first;
  RuleList<More...> more;
};
template <class Last>
struct RuleList<Last> {
  Last first;
};

/// The names of the fields, if the first stage says them.
template <class Rule>
struct NamesOf {};
template <SaysNames Rule>
struct NamesOf<Rule> {
  static constexpr const auto& names = Rule::names;
};

template <class First>
RuleList<First> rule_list(First first) {
  return {first};
}
template <class First, class... More>
RuleList<First, More...> rule_list(First first, More... more) requires(sizeof...(More) > 0) {
  return {first, rule_list(more...)};
}

/// Whether each stage says what is outside from so much of it.
template <class Seen, class... Stage>
concept AllSayOutside = (SaysOutside<Stage, Seen> && ...);

/// Calls `visit` with the rule of this number.
template <class First, class... More, class Visit>
KOKKOS_FORCEINLINE_FUNCTION auto with_rule(const RuleList<First, More...>& list, int number,
                                           const Visit& visit) {
  if constexpr (sizeof...(More) > 0)
    if (number > 0) return with_rule(list.more, number - 1, visit);
  return visit(list.first);
}

}  // namespace detail

/// A step of several stages, each an update rule of its own for the same fields: the stages of a method of
/// Runge and Kutta, or a step in x and then one in y.
///
///     comm::DeepHalo steps(communicator, grid, stencil::Stages(InX{}, InY{}), sides, config, now, next);
///
/// Depth and fused steps count stages: each takes what the one before has left.
template <UpdateRule First, UpdateRule... More>
class Stages : public detail::NamesOf<First> {
 public:
  using Fields = typename First::Fields;
  using Constants = typename detail::ConstantsOfRule<First>::type;
  static constexpr int dims = First::dims;
  static constexpr int radius = std::max({RuleTraits<First>::radius, RuleTraits<More>::radius...});
  static constexpr StencilShape shape =
      (RuleTraits<First>::star && ... && RuleTraits<More>::star) ? StencilShape::star : StencilShape::box;
  static constexpr int stages = 1 + static_cast<int>(sizeof...(More));
  static constexpr bool uses_index = (RuleTraits<First>::uses_index || ... || RuleTraits<More>::uses_index);
  static constexpr int max_fused_steps =
      std::min({RuleTraits<First>::max_fused_steps, RuleTraits<More>::max_fused_steps...});
  static constexpr bool alike = (detail::same_fields<Fields, typename More::Fields> && ...);
  static_assert(alike, "all stages of a step have the same fields");
  static_assert((std::same_as<Constants, typename detail::ConstantsOfRule<More>::type> && ...),
                "all stages of a step have the same constants");
  static_assert(((dims == More::dims) && ...), "all stages of a step are of grids of as many dimensions");
  static_assert(RuleTraits<First>::stages == 1 && ((RuleTraits<More>::stages == 1) && ...),
                "a stage has no stages");

  explicit Stages(const First& first, const More&... more) : rules_(detail::rule_list(first, more...)) {}

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    using New = Values<typename Fields::type, Fields::count>;
    if constexpr (alike)
      return detail::with_rule(rules_, cell.stage(), [&](const auto& rule) -> New {
        return detail::as_values<typename Fields::type, Fields::count>(detail::applied(rule, cell));
      });
    else
      return New{};
  }

  KOKKOS_FUNCTION typename Fields::type outside(int field, const Ghost<typename Fields::type>& ghost) const
      requires(detail::AllSayOutside<Ghost<typename Fields::type>, First, More...>) {
    return of_stage(field, ghost);
  }
  KOKKOS_FUNCTION typename Fields::type outside(int field, const GhostOf<Fields, Constants>& ghost) const
      requires(detail::AllSayOutside<GhostOf<Fields, Constants>, First, More...> &&
               !detail::AllSayOutside<Ghost<typename Fields::type>, First, More...>) {
    return of_stage(field, ghost);
  }

 private:
  template <class Seen>
  KOKKOS_FUNCTION typename Fields::type of_stage(int field, const Seen& ghost) const {
    return detail::with_rule(rules_, ghost.stage,
                             [&](const auto& rule) { return rule.outside(field, ghost); });
  }

  detail::RuleList<First, More...> rules_;
};

}  // namespace haloheap::stencil

#endif
