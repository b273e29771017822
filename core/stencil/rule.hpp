// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RULE_HPP
#define HALOHEAP_CORE_STENCIL_RULE_HPP

#include <haloheap/backend/function.hpp>
#include <haloheap/core/grid/box.hpp>
#include <haloheap/core/stencil/kinds.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// Update rules: what one time step computes in one cell, written by a user. A rule is plain data that
/// kernels copy by value:
///
///     struct Diffusion {
///       using Fields = haloheap::stencil::Fields<float>;
///       static constexpr int dims = 2, radius = 1;
///       float number;
///
///       template <class Cell>
///       KOKKOS_FORCEINLINE_FUNCTION float operator()(const Cell& cell) const {
///         enum { u };
///         const float around = cell(u, -1, 0) + cell(u, 1, 0) + cell(u, 0, -1) + cell(u, 0, 1);
///         return cell(u) + number * (around - 4 * cell(u));
///       }
///     };
///
/// A cell is asked for `cell(field, dx, dy, dz)`, the value of a field so many cells away before the step,
/// for `cell.index(dim)`, its place in the whole grid, and, with `static constexpr bool uses_step = true`,
/// for `cell.step()`, the number of the step from 0 on. A rule of several fields returns `values(...)`, one a
/// field and in their order. Neighbours are at most `radius` away in each dimension; with `shape =
/// StencilShape::star`, along the axes alone, which is faster. Fields and distances have to be constants
/// where kernels keep neighbours in registers: loops over them have constant bounds (HALOHEAP_UNROLL).
///
/// Fields may be stored as different types: `Fields<float, std::uint8_t>`. A rule computes with the type that
/// holds the values of all, here float, and what it returns is stored as static_cast makes it. A value that
/// the type cannot hold is another one on every machine: return none.
///
/// Fields that no step changes, such as coefficients, are `using Constants = stencil::Fields<float>`, and
/// `cell.constant(field, dx, dy, dz)` is one's value.
///
/// Fields have numbers, for which rules have enumerators, and may have names: `static constexpr
/// std::string_view names[2] = {"heat", "fuel"};`, see field_names.hpp.
///
/// A rule with `static constexpr bool uses_index = false` never asks for cell.index(dim); one with
/// `plain_sides = true` takes Outside::value and Outside::mirror(1) alone on the sides of its grid. Both
/// spare kernels work.
///
/// A sum of terms may be written in two parts in place of the operator, of which kernels that stream through
/// planes in three dimensions make the first before the last neighbour has come.
///
///       template <class Below>
///       KOKKOS_FORCEINLINE_FUNCTION float begin(const Below& below) const { return number * below(u); }
///       template <class Cell>
///       KOKKOS_FORCEINLINE_FUNCTION float finish(const Cell& cell, float begun) const;
///
/// `below(field)` is the value `radius` cells below in the last dimension, cell(field, 0, 0, -radius), and
/// what `begin` returns, plain data of any type, is what `finish` is given.
///
/// A sum over a box may be written row by row in place of the operator. Kernels that stream through planes
/// then keep the sums of three planes and no neighbours, and make two steps of it in a pass over three
/// dimensions.
///
///       using Sum = float;  // plain data: what has been added up so far, Sum{} before the first row
///       template <class Row>
///       KOKKOS_FORCEINLINE_FUNCTION Sum add(const Row& row, int dy, int dz, Sum sum) const {
///         return sum + weights[dz + 1][dy + 1] * (row(u, -1) + row(u, 0) + row(u, 1));
///       }
///       template <class Cell>
///       KOKKOS_FORCEINLINE_FUNCTION float finish(const Cell& cell, Sum sum) const { return sum; }
///
/// `row(field, dx)` is cell(field, dx, dy, dz). Rows come in the order of their places: dz from -radius on
/// (0 in two dimensions), for each of them dy from -radius on. `finish` may ask the cell for what no
/// neighbour has: index, step, stage, and the cell's own constants.
///
/// A step of several stages, such as one of Runge and Kutta, is a rule with `static constexpr int stages`,
/// which is called for one after the other and asks for `cell.stage()`; or a list of rules, see Stages.
///
/// A rule may depend on nothing else. The results then have the same bits for every backend, rank grid, depth
/// and number of fused steps, if the compiler may not make one rounding of a product and a sum: link the
/// CMake target haloheap::equal_bits.
namespace haloheap::stencil {

/// So many fields with values of one type.
template <class T, int Count>
struct FieldsOf {
  static_assert(Count > 0);
  using type = T;
  static constexpr int count = Count;
};

namespace detail {

/// Whether every value of one arithmetic type is one of another.
template <class T, class Other>
inline constexpr bool fits_into = std::numeric_limits<T>::digits <= std::numeric_limits<Other>::digits &&
                                  (std::is_signed_v<Other> ||
                                   !std::is_signed_v<T>)&&(std::is_floating_point_v<Other> ||
                                                           std::is_integral_v<T>);

}  // namespace detail

/// The fields of a rule, by the types of their values in memory.
template <class T, class... More>
struct Fields : FieldsOf<std::common_type_t<T, More...>, 1 + static_cast<int>(sizeof...(More))> {
  using Common = std::common_type_t<T, More...>;
  static_assert(detail::fits_into<T, Common> && (detail::fits_into<More, Common> && ...),
                "a rule computes with the type that all its fields convert to, and that has to hold the "
                "values of each: next to a 32-bit integer, say double in place of float");
  static constexpr bool mixed = !(std::same_as<T, More> && ...);
  template <int Field>
  using stored = std::tuple_element_t<Field, std::tuple<T, More...>>;
  static constexpr std::size_t value_bytes[1 + sizeof...(More)] = {sizeof(T), sizeof(More)...};
  /// Of one cell, in the fields before this one.
  static constexpr std::size_t bytes_before(int field) {
    std::size_t sum = 0;
    for (int i = 0; i < field; ++i) sum += value_bytes[i];
    return sum;
  }
  /// The same as a constant, for kernels.
  template <int Field>
  static constexpr std::size_t start = bytes_before(Field);
};

/// The constants of a rule that has none.
struct NoConstants {
  using type = char;
  static constexpr int count = 0;
};

/// The new values of one cell, one a field.
template <class T, int Count>
struct Values {
  T value[Count];
};

template <class T, class... More>
HALOHEAP_FUNCTION constexpr Values<T, 1 + static_cast<int>(sizeof...(More))> values(T first, More... more) {
  static_assert((std::same_as<T, More> && ...), "the new values have the type of the fields: convert them");
  return {{first, more...}};
}

namespace detail {

/// Whether fields are stored as several types.
template <class Fields>
inline constexpr bool is_mixed = [] {
  if constexpr (requires { Fields::mixed; })
    return Fields::mixed;
  else
    return false;
}();

template <class One, class Other>
inline constexpr bool same_fields = std::same_as<One, Other> ||
                                    (!is_mixed<One> && !is_mixed<Other> &&
                                     std::same_as<typename One::type, typename Other::type> &&
                                     One::count == Other::count);

/// The type of what an array of a rule's fields holds: their values, or bytes.
template <class Fields>
using ArrayValue = std::conditional_t<is_mixed<Fields>, std::byte, typename Fields::type>;

/// The layout of a rule's fields is that of an array of values so large.
template <class Fields>
constexpr std::size_t smallest_value_bytes() {
  if constexpr (is_mixed<Fields>)
    return *std::min_element(std::begin(Fields::value_bytes), std::end(Fields::value_bytes));
  else
    return sizeof(typename Fields::type);
}

template <class Rule>
struct ConstantsOfRule {
  using type = NoConstants;
};
template <class Rule>
requires requires {
  typename Rule::Constants;
}
struct ConstantsOfRule<Rule> {
  using type = typename Rule::Constants;
};

/// Stands for a cell where the compiler checks a rule.
template <class T, class Constant = char>
struct AnyCell {
  HALOHEAP_FUNCTION T operator()(int /*field*/, int /*dx*/ = 0, int /*dy*/ = 0, int /*dz*/ = 0) const {
    return T{};
  }
  HALOHEAP_FUNCTION Constant constant(int /*field*/, int /*dx*/ = 0, int /*dy*/ = 0, int /*dz*/ = 0) const {
    return Constant{};
  }
  HALOHEAP_FUNCTION grid::Index index(int /*dim*/) const { return 0; }
  HALOHEAP_FUNCTION grid::Index step() const { return 0; }
  HALOHEAP_FUNCTION int stage() const { return 0; }
};

template <class T, int Count>
HALOHEAP_FUNCTION constexpr Values<T, Count> as_values(const Values<T, Count>& values) {
  return values;
}
/// Of no other type: a double for a field of float would be rounded where nobody sees it.
template <class T, int Count, std::same_as<T> Value>
HALOHEAP_FUNCTION constexpr Values<T, Count> as_values(Value value) requires(Count == 1) {
  return {{value}};
}

template <class Rule>
concept NamesFields = requires {
  typename Rule::Fields::type;
  { Rule::Fields::count } -> std::convertible_to<int>;
};

/// Whether the rule says what its fields are called.
template <class Rule>
concept SaysNames = requires {
  Rule::names;
};

/// Whether it says that of each of them. The array has a length: in a template nvcc does not count what it is
/// made of.
template <class Rule>
constexpr bool names_each_field() {
  if constexpr (!SaysNames<Rule>) {
    return true;
  } else if constexpr (requires { std::size(Rule::names); }) {
    if (std::size(Rule::names) != Rule::Fields::count) return false;
    for (const std::string_view& name : Rule::names)  // g++ 12 cannot copy those that are not given
      if (name.empty()) return false;
    return true;
  } else {
    return false;
  }
}

template <class Rule>
concept SaysItsReach = requires {
  { Rule::radius } -> std::convertible_to<int>;
  { Rule::dims } -> std::convertible_to<int>;
  requires Rule::radius >= 1;
  requires Rule::dims == 2 || Rule::dims == 3;
};

template <class Rule>
using AnyCellOf = AnyCell<typename Rule::Fields::type, typename ConstantsOfRule<Rule>::type::type>;

/// What the first part of a rule is called with.
template <class T>
struct AnyBelow {
  HALOHEAP_FUNCTION T operator()(int /*field*/) const { return T{}; }
};

/// What the first part of a rule in two parts returns: plain data, since kernels keep it in registers.
template <class Rule>
using BegunOf = decltype(std::declval<const Rule&>().begin(AnyBelow<typename Rule::Fields::type>{}));

/// Whether the rule is written in two parts.
template <class Rule>
concept InTwoParts = requires(const Rule& rule, AnyCellOf<Rule> cell, const BegunOf<Rule>& begun) {
  rule.finish(cell, begun);
  requires std::is_trivially_copyable_v<BegunOf<Rule>> && std::default_initializable<BegunOf<Rule>>;
};

/// A row of neighbours of a cell.
template <class T>
struct AnyRow {
  HALOHEAP_FUNCTION T operator()(int /*field*/, int /*dx*/ = 0) const { return T{}; }
};

/// Whether the rule is a sum that is written row by row.
template <class Rule>
concept InRows = requires(const Rule& rule, const AnyRow<typename Rule::Fields::type>& row,
                          AnyCellOf<Rule> cell, const typename Rule::Sum& sum) {
  { rule.add(row, 0, 0, sum) } -> std::same_as<typename Rule::Sum>;
  rule.finish(cell, sum);
  requires std::is_trivially_copyable_v<typename Rule::Sum> && std::default_initializable<typename Rule::Sum>;
};

template <class Rule>
concept TakesCell = InTwoParts<Rule> || InRows<Rule> || requires(const Rule& rule, AnyCellOf<Rule> cell) {
  rule(cell);
};

/// What is returned is the new values of a cell.
template <class Returned, class Rule>
concept NewValues = requires(const Returned& returned) {
  as_values<typename Rule::Fields::type, Rule::Fields::count>(returned);
};

/// Two parts, and rows, are asked before the operator, if there are both.
template <class Rule>
concept GivesNewValues = (InRows<Rule> &&
                          requires(const Rule& rule, AnyCellOf<Rule> cell, const typename Rule::Sum& sum) {
                            { rule.finish(cell, sum) } -> NewValues<Rule>;
                          }) ||
                         (!InRows<Rule> && InTwoParts<Rule> &&
                          requires(const Rule& rule, AnyCellOf<Rule> cell, const BegunOf<Rule>& begun) {
                            { rule.finish(cell, begun) } -> NewValues<Rule>;
                          }) ||
                         (!InRows<Rule> && !InTwoParts<Rule> &&
                          requires(const Rule& rule, AnyCellOf<Rule> cell) {
                            { rule(cell) } -> NewValues<Rule>;
                          });

}  // namespace detail

/// Plain data with `Fields`, `dims`, `radius`, and an operator that gives the new values of a cell, or its
/// two parts, or its rows.
template <class Rule>
concept UpdateRule = std::is_trivially_copyable_v<Rule> && detail::NamesFields<Rule> &&
    detail::SaysItsReach<Rule> && detail::GivesNewValues<Rule>;

/// What a rule says of itself, and what holds if it does not.
template <UpdateRule Rule>
struct RuleTraits {
  using T = typename Rule::Fields::type;
  static constexpr int fields = Rule::Fields::count;
  static_assert(detail::names_each_field<Rule>(),
                "an update rule that names its fields names each of them: static constexpr std::string_view "
                "names[2] = {...} if there are two");
  static constexpr int dims = Rule::dims;
  static constexpr int radius = Rule::radius;
  static constexpr StencilShape shape = [] {
    if constexpr (requires { Rule::shape; })
      return Rule::shape;
    else
      return StencilShape::box;
  }();
  static constexpr bool star = shape == StencilShape::star;
  static_assert(
      !star || !detail::InRows<Rule>,
      "an update rule that is written row by row has neighbours off the axes: its shape is the box");
  /// Fields that no step changes, and the type of their values.
  using Constant = typename detail::ConstantsOfRule<Rule>::type::type;
  static constexpr int constants = detail::ConstantsOfRule<Rule>::type::count;
  static_assert(!detail::is_mixed<typename detail::ConstantsOfRule<Rule>::type>,
                "all constants of an update rule have values of one type");
  /// Sub-steps that a step is made of.
  static constexpr int stages = [] {
    if constexpr (requires { Rule::stages; })
      return Rule::stages;
    else
      return 1;
  }();
  static_assert(stages >= 1, "a step has a stage");
  /// Whether the rule asks for the number of the step, or of the stage.
  static constexpr bool uses_step = [] {
    if constexpr (requires { Rule::uses_step; })
      return Rule::uses_step || stages > 1;
    else
      return stages > 1;
  }();
  /// Whether the squares of what a step changes can be added up.
  static constexpr bool has_residual =
      std::is_floating_point_v<T> && stages == 1 && !detail::is_mixed<typename Rule::Fields>;
  /// The most steps that one pass over memory is compiled for.
  static constexpr int max_fused_steps = [] {
    if constexpr (requires { Rule::max_fused_steps; })
      return Rule::max_fused_steps;
    else
      return 8;
  }();
  static_assert(max_fused_steps >= 1 && max_fused_steps <= 8, "a pass over memory makes from 1 to 8 steps");
  /// Whether the rule asks for the place of a cell, or may do so.
  static constexpr bool uses_index = [] {
    if constexpr (requires { Rule::uses_index; })
      return Rule::uses_index;
    else
      return true;
  }();
  /// Whether the cells outside mirror those inside, or have fixed values, and nothing else: other sides are
  /// refused.
  static constexpr bool plain_sides = [] {
    if constexpr (requires { Rule::plain_sides; })
      return Rule::plain_sides;
    else
      return false;
  }();
};

}  // namespace haloheap::stencil

#endif
