// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_OUTSIDE_HPP
#define HALOHEAP_CORE_STENCIL_OUTSIDE_HPP

#include <haloheap/backend/function.hpp>
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/stencil/rule.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <vector>

namespace haloheap::stencil {

/// What a field has outside one side of the grid. Let cell 0 be the first inside, and cell -1 - i the i-th
/// outside.
struct Outside {
  enum class Kind {
    value,    ///< u(-1 - i) = number
    mirror,   ///< u(-1 - i) = number * u(i), where number is 1 (no flux) or -1 (zero on the side itself)
    outflow,  ///< u(-1 - i) = u(0)
    rule,     ///< u(-1 - i) = rule.outside(field, ghost), see Ghost
  };
  Kind kind = Kind::mirror;
  double number = 1;

  constexpr bool mirrors() const { return kind == Kind::mirror || kind == Kind::rule; }

  static constexpr Outside value(double number) { return {Kind::value, number}; }
  /// @param sign 1 or -1
  static constexpr Outside mirror(int sign = 1) { return {Kind::mirror, static_cast<double>(sign)}; }
  static constexpr Outside outflow() { return {Kind::outflow, 1}; }
  static constexpr Outside rule() { return {Kind::rule, 1}; }
};

/// The sides of a grid, for the fields of an update rule. In a corner the sides act one after the other, x
/// first: that of the last dimension has the last word.
struct SideRules {
  /// By dimension; one entry a field, or one for all of them; none: the grid wraps around there, at both
  /// ends.
  std::array<std::vector<Outside>, 3> low, high;

  bool periodic(int dim) const { return low[static_cast<std::size_t>(dim)].empty(); }
  const Outside& at(int dim, bool is_high, int field) const {
    const auto& side = (is_high ? high : low)[static_cast<std::size_t>(dim)];
    return side.size() == 1 ? side.front() : side[static_cast<std::size_t>(field)];
  }

  /// The same on all sides of a grid of so many dimensions.
  static SideRules everywhere(const Outside& outside, int dims) {
    SideRules sides;
    for (int dim = 0; dim < dims; ++dim)
      sides.low[static_cast<std::size_t>(dim)] = sides.high[static_cast<std::size_t>(dim)] = {outside};
    return sides;
  }
};

/// The sides of a boundary that all fields have.
inline SideRules side_rules(const grid::Boundary& boundary, int dims) {
  const auto outside = [&](grid::BoundaryKind kind) -> std::vector<Outside> {
    if (kind == grid::BoundaryKind::periodic) return {};
    return {kind == grid::BoundaryKind::dirichlet ? Outside::value(boundary.value) : Outside::mirror()};
  };
  SideRules sides;
  for (int dim = 0; dim < dims; ++dim) {
    sides.low[static_cast<std::size_t>(dim)] = outside(boundary.low[dim]);
    sides.high[static_cast<std::size_t>(dim)] = outside(boundary.high[dim]);
  }
  return sides;
}

/// A cell outside the grid, as a rule sees it that has `T outside(int field, const Ghost<T>& ghost)`. Rules
/// that depend on other fields there have GhostOf in its place.
template <class T>
struct Ghost {
  T mirrored;             ///< the field's value in the cell that is as far inside
  int dim;                ///< across which side of the grid the cell lies
  bool high;              ///< whether that is the upper one
  int distance;           ///< how far outside: 0 for the first cell
  grid::Triple index;     ///< in the whole grid: outside in `dim`, in a corner also in dimensions before
  grid::Index step = -1;  ///< that begins with this value; -1 for rules without uses_step
  int stage = 0;          ///< of that step
};

/// The same with all fields: a rule has `T outside(int field, const GhostOf<Fields, Constants>& ghost)`.
template <class Fields, class Constants = NoConstants>
struct GhostOf : Ghost<typename Fields::type> {
  static constexpr int constant_count = Constants::count > 0 ? Constants::count : 1;

  typename Fields::type fields[Fields::count];         ///< in the cell that is as far inside
  typename Constants::type constants[constant_count];  ///< in the same cell, if there are any
};

namespace detail {

/// @tparam Seen Ghost or GhostOf
template <class Rule, class Seen>
concept SaysOutside = requires(const Rule& rule, const Seen& ghost) {
  { rule.outside(0, ghost) } -> std::convertible_to<typename Rule::Fields::type>;
};

template <class Rule>
using GhostOfRule = GhostOf<typename Rule::Fields, typename ConstantsOfRule<Rule>::type>;

/// Whether a rule says itself what is outside.
template <class Rule>
concept HasOutside = SaysOutside<Rule, GhostOfRule<Rule>>;

/// Whether it depends on all fields there.
template <class Rule>
concept SeesFieldsOutside = HasOutside<Rule> && !SaysOutside<Rule, Ghost<typename Rule::Fields::type>>;

}  // namespace detail

}  // namespace haloheap::stencil

#endif
