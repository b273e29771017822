// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_MEASURES_HPP
#define HALOHEAP_CORE_STENCIL_MEASURES_HPP

#include <haloheap/core/stencil/rule.hpp>

#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

/// Measures: what is known of all cells together after a step, such as conserved sums and the largest wave
/// speed, written by a user. A measure is plain data apart from the rule, which can have several:
///
///     struct Totals {
///       using Fields = Flow::Fields;
///       static constexpr int dims = Flow::dims;
///       using Measures = stencil::Measures<stencil::Sum, stencil::Max>;
///
///       template <class Cell>
///       KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
///         return stencil::measured(cell(Flow::mass), speed(cell));
///       }
///       double bound(int /*number*/) const { return 1e6; }
///     };
///
/// A cell is asked for `cell(field)`, `cell.constant(field)` (with `using Constants`, as the rule has it) and
/// `cell.index(dim)`; not for neighbours, as ghost cells have other values after a step. Its values are
/// converted to double; largest and smallest ones are compared as floats, where all values are floats.
///
/// Sums have the same bits whatever the order of cells, threads and ranks: each value is split into three
/// parts that add up without rounding, see ResidualScale. That needs a bound of the magnitude of one cell's
/// value, which `bound` says of the sum with this number, and which may be far too large: of 2^30 cells each
/// value is exact to 2^-62 of the bound, and integers are added up exactly as long as they are multiples of
/// that. A larger value than the bound, or one that is not a number, makes the sum NaN.
///
/// The largest and smallest values are exact in any order: a NaN in any cell is the result, and a zero is
/// +0.0.
namespace haloheap::stencil {

struct Sum {};
struct Max {};
struct Min {};

inline constexpr int max_measures = 16;

/// What is made of each value of a measure, in their order.
template <class... Kinds>
struct Measures {
  static constexpr int count = static_cast<int>(sizeof...(Kinds));
  static_assert(count >= 1 && count <= max_measures, "a measure has from 1 to 16 values");
  static_assert(((std::same_as<Kinds, Sum> || std::same_as<Kinds, Max> || std::same_as<Kinds, Min>)&&...),
                "what is made of a value is stencil::Sum, stencil::Max or stencil::Min");
  template <int Number>
  using kind = std::tuple_element_t<Number, std::tuple<Kinds...>>;
};

/// The values of one cell: floats, if all of them are floats, else doubles. An operator whose branches give
/// floats and doubles converts them itself, as its result has one type.
template <class... Value>
HALOHEAP_FUNCTION constexpr auto measured(Value... value) {
  using V = std::conditional_t<(std::same_as<Value, float> && ...), float, double>;
  return Values<V, static_cast<int>(sizeof...(Value))>{{static_cast<V>(value)...}};
}

namespace detail {

/// Stands for a cell where the compiler checks a measure.
template <class T, class Constant>
struct AnyMeasuredCell {
  HALOHEAP_FUNCTION T operator()(int /*field*/) const { return T{}; }
  HALOHEAP_FUNCTION Constant constant(int /*field*/) const { return Constant{}; }
  HALOHEAP_FUNCTION grid::Index index(int /*dim*/) const { return 0; }
};

template <int Count, class V>
HALOHEAP_FUNCTION constexpr Values<V, Count> as_measured(const Values<V, Count>& values) requires(
    std::same_as<V, float> || std::same_as<V, double>) {
  return values;
}
template <int Count, class Value>
HALOHEAP_FUNCTION constexpr auto as_measured(Value value) requires(Count == 1 &&
                                                                   std::is_arithmetic_v<Value>) {
  return measured(value);
}

template <class Measure>
concept NamesMeasuredFields = NamesFields<Measure> && requires {
  { Measure::dims } -> std::convertible_to<int>;
  requires Measure::dims == 2 || Measure::dims == 3;
};
template <class Measure>
concept NamesMeasures = requires {
  { Measure::Measures::count } -> std::convertible_to<int>;
};

template <class Measure>
using AnyCellMeasured =
    AnyMeasuredCell<typename Measure::Fields::type, typename ConstantsOfRule<Measure>::type::type>;

template <class Measure>
concept TakesMeasuredCell = requires(const Measure& measure, AnyCellMeasured<Measure> cell) {
  measure(cell);
};
template <class Measure>
concept GivesMeasured = requires(const Measure& measure, AnyCellMeasured<Measure> cell) {
  as_measured<Measure::Measures::count>(measure(cell));
};

/// What is made of a cell: values of float or double.
template <class Measure>
using MeasuredValues = decltype(as_measured<Measure::Measures::count>(
    std::declval<const Measure&>()(std::declval<AnyCellMeasured<Measure>>())));

template <class Measures, int Number = 0>
constexpr bool has_sums() {
  if constexpr (Number < Measures::count)
    return std::same_as<typename Measures::template kind<Number>, Sum> || has_sums<Measures, Number + 1>();
  else
    return false;
}
template <class Measure>
concept BoundsItsSums = !has_sums<typename Measure::Measures>() || requires(const Measure& measure) {
  { measure.bound(0) } -> std::convertible_to<double>;
};

}  // namespace detail

/// Plain data with `Fields`, `dims`, `Measures`, an operator that gives the values of a cell, and, where
/// there are sums, `bound`.
template <class Measure>
concept CellMeasure = std::is_trivially_copyable_v<Measure> && detail::NamesMeasuredFields<Measure> &&
    detail::NamesMeasures<Measure> && detail::GivesMeasured<Measure> && detail::BoundsItsSums<Measure>;

namespace detail {

/// Says in a sentence what a struct lacks that should be a measure.
template <class Measure>
struct CheckedMeasure {
  static constexpr bool named = NamesMeasuredFields<Measure> && NamesMeasures<Measure>;
  static_assert(NamesMeasuredFields<Measure>,
                "a measure names the fields and dimensions of the rule that it measures: using Fields = "
                "Rule::Fields; static constexpr int dims = Rule::dims");
  static_assert(!NamesMeasuredFields<Measure> || NamesMeasures<Measure>,
                "a measure says what is made of each of its values: using Measures = "
                "stencil::Measures<stencil::Sum, stencil::Max>");
  static_assert(!named || TakesMeasuredCell<Measure>,
                "a measure is called with a cell, and is const: template <class Cell> "
                "KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const");
  static_assert(!named || !TakesMeasuredCell<Measure> || GivesMeasured<Measure>,
                "a measure returns stencil::measured(...) with as many values as its Measures");
  static constexpr bool gives = [] {
    if constexpr (named)
      return GivesMeasured<Measure>;
    else
      return false;
  }();
  static constexpr bool bounded = [] {
    if constexpr (named)
      return BoundsItsSums<Measure>;
    else
      return true;
  }();
  static_assert(bounded,
                "a measure with sums says how large a cell's values of them are at most: "
                "double bound(int number) const");
  static_assert(!gives || !bounded || std::is_trivially_copyable_v<Measure>,
                "a measure is copied into kernels as bytes: it is trivially copyable, and has the pointer "
                "data() of a View in place of the View");
  static constexpr bool passed = CellMeasure<Measure>;
};

}  // namespace detail
}  // namespace haloheap::stencil

#endif
