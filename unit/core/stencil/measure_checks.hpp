// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_MEASURE_CHECKS_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_MEASURE_CHECKS_HPP

#include <haloheap/core/stencil/measures.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace haloheap::testing {

/// The sum of what all fields and constants give together, from 1 to 3 however they grow or shrink; the
/// largest and smallest value of the last field; and the sum of a product with the place, of either sign.
template <class Rule>
struct AllOf {
  using Fields = typename Rule::Fields;
  using Constants = typename stencil::detail::ConstantsOfRule<Rule>::type;
  using Measures = stencil::Measures<stencil::Sum, stencil::Max, stencil::Min, stencil::Sum>;
  static constexpr int dims = Rule::dims;
  double largest = 0x1p30;

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    double all = 0;
    for (int field = 0; field < Fields::count; ++field) all += static_cast<double>(cell(field));
    if constexpr (Constants::count > 0)
      for (int field = 0; field < Constants::count; ++field) all += static_cast<double>(cell.constant(field));
    all = 2 + Kokkos::clamp(all / 16, -1.0, 1.0);
    const auto last = cell(Fields::count - 1);
    const auto place = static_cast<double>(cell.index(0) - 7 * cell.index(1) + 3 * cell.index(dims - 1));
    return stencil::measured(all, last, last, place * all);
  }
  double bound(int number) const { return number == 0 ? largest : 0x1p40; }
};

/// The largest and the smallest value of one field of floats, which are compared as such.
struct RangeOfFloats {
  using Fields = stencil::Fields<float>;
  using Measures = stencil::Measures<stencil::Max, stencil::Min>;
  static constexpr int dims = 2;

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    return stencil::measured(cell(0), cell(0));
  }
};

/// One cell of a whole grid in one array, for a measure.
template <class T, class Constant>
struct PlainCell {
  const T* values;
  const Constant* constants;
  grid::Triple cells, at;

  KOKKOS_FUNCTION grid::Index position(int field) const {
    return ((field * cells.z + at.z) * cells.y + at.y) * cells.x + at.x;
  }
  KOKKOS_FUNCTION T operator()(int field) const { return values[position(field)]; }
  KOKKOS_FUNCTION Constant constant(int field) const { return constants[position(field)]; }
  KOKKOS_FUNCTION grid::Index index(int dim) const { return at[dim]; }
};

/// The sum of doubles as an integer, in units so small that none of those above is rounded.
class IntegerSum {
 public:
  void add(double value) {
    if (std::isnan(value))
      none_ = true;
    else
      sum_ += static_cast<Wide>(std::ldexp(value, digits));
  }
  double value() const { return none_ ? NAN : std::ldexp(static_cast<double>(sum_), -digits); }

 private:
  __extension__ typedef __int128 Wide;
  static constexpr int digits = 60;
  Wide sum_ = 0;
  bool none_ = false;
};

/// The further one of two; NaN, if one is.
inline double further(double one, double other, bool up) {
  if (std::isnan(one) || std::isnan(other)) return NAN;
  return up ? std::fmax(one, other) : std::fmin(one, other);
}

/// What AllOf says, by a loop.
template <class Measure, class T, class Constant>
std::vector<double> measured_plainly(const Measure& measure, const grid::Triple& cells,
                                     const std::vector<T>& values, const std::vector<Constant>& constants) {
  IntegerSum sum, moment;
  double largest = -INFINITY, smallest = INFINITY;
  for (grid::Index z = 0; z < cells.z; ++z)
    for (grid::Index y = 0; y < cells.y; ++y)
      for (grid::Index x = 0; x < cells.x; ++x) {
        const auto found = measure(PlainCell<T, Constant>{values.data(), constants.data(), cells, {x, y, z}});
        sum.add(found.value[0]);
        moment.add(found.value[3]);
        largest = further(largest, found.value[1], true);
        smallest = further(smallest, found.value[2], false);
      }
  return {sum.value(), largest, smallest, moment.value()};
}

template <class Found>
void expect_same(const Found& found, const std::vector<double>& expected, const std::string& how) {
  ASSERT_EQ(found.size(), expected.size()) << how;
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(found[i] == expected[i] || (std::isnan(found[i]) && std::isnan(expected[i])))
        << found[i] << " in place of " << expected[i] << ", " << how << ", value " << i;
}

}  // namespace haloheap::testing

#endif
