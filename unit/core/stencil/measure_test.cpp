// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/measure_history.hpp>
#include <haloheap/core/stencil/measure_kernel.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>
#include <haloheap/unit/core/stencil/measure_checks.hpp>
#include <haloheap/unit/core/stencil/rule_fields.hpp>
#include <haloheap/unit/core/stencil/rules.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace haloheap::stencil {
namespace {

using namespace testing;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Fields of a measure on a part of a grid, with NaN around it.
template <class Rule>
struct Part {
  using Fields = RuleFields<Rule>;
  using Value = typename Fields::Value;
  using T = typename Rule::Fields::type;
  Subdomain where;
  memory::Array<Value> fields;

  /// @param all values of the whole grid, by field, z, y, x
  Part(const grid::Triple& cells, const grid::Box& own, const std::vector<T>& all)
      : where{grid::make_field_layout(Rule::dims, {own.extent(0), own.extent(1), own.extent(2)}, 2,
                                      Rule::Fields::count,
                                      detail::smallest_value_bytes<typename Rule::Fields>()),
              cells,
              own,
              {}},
        fields(make_device_array(in_memory(all))) {}

  std::vector<Value> in_memory(const std::vector<T>& all) const {
    std::vector<Value> values = Fields::unset_values(where.layout);
    const grid::Triple& cells = where.cells;
    for (int field = 0; field < Rule::Fields::count; ++field)
      for_each_cell(where.own, [&](const grid::Triple& at) {
        const auto place = ((field * cells.z + at.z) * cells.y + at.y) * cells.x + at.x;
        Fields::set(values, where.layout,
                    {at.x - where.own.lo.x, at.y - where.own.lo.y, at.z - where.own.lo.z}, field,
                    all[static_cast<std::size_t>(place)]);
      });
    return values;
  }
};

MeasureHistory history_of(const Measurement& measurement) {
  return {memory::make_memory_resource("device"), measurement.kinds};
}

template <class Rule, class Measure>
std::vector<MeasuredWords> words_of(const Part<Rule>& part, const Measure& measure) {
  const Measurement measurement = measurement_of(measure);
  MeasureHistory history = history_of(measurement);
  history.reserve(1);
  const backend::Exec exec;
  measurement.on(part.where)->run(exec, part.fields.data(), history.slots());
  history.fold(exec);
  exec.fence("haloheap::unit::measured");
  return history.read();
}

template <class Measure>
std::vector<double> values_of(const Measure& measure, const std::vector<MeasuredWords>& words) {
  const MeasuredKinds kinds = measurement_of(measure).kinds;
  std::vector<double> values;
  for (std::size_t i = 0; i < words.size(); ++i)
    values.push_back(words[i].value(kinds.kinds[i % kinds.kinds.size()]));
  return values;
}

/// As a whole, and as two parts whose words are added up.
template <class Rule>
void check(const grid::Triple& cells) {
  const auto all = RuleFields<Rule>::start(product(cells), 5);
  const AllOf<Rule> measure;
  const auto expected = measured_plainly(measure, cells, all, std::vector<char>());
  const std::string how =
      std::to_string(cells.x) + " x " + std::to_string(cells.y) + " x " + std::to_string(cells.z);
  const grid::Box whole{{0, 0, 0}, cells};
  expect_same(values_of(measure, words_of(Part<Rule>(cells, whole, all), measure)), expected, how);
  for (const int dim : {0, 1}) {
    grid::Box low = whole, high = whole;
    low.hi[dim] = high.lo[dim] = (cells[dim] + 1) / 2;  // one of the two may be empty
    auto words = words_of(Part<Rule>(cells, low, all), measure);
    const auto others = words_of(Part<Rule>(cells, high, all), measure);
    for (std::size_t i = 0; i < words.size(); ++i) {
      for (int part = 0; part < residual_parts; ++part) words[i].part[part] += others[i].part[part];
      words[i].key = std::max(words[i].key, others[i].key);
    }
    expect_same(values_of(measure, words), expected, how + ", in two parts");
  }
}

TEST(Measure, is_that_of_a_plain_loop_for_boxes_of_any_size) {
  using One = DrawnRule<double, 2, 1, 1, StencilShape::star>;
  for (const grid::Triple& cells :
       {grid::Triple{1, 1, 1}, {1, 203, 1}, {203, 1, 1}, {37, 23, 1}, {64, 48, 1}})
    check<One>(cells);
  check<DrawnRule<float, 3, 1, 3, StencilShape::star>>({13, 11, 7});
  check<DrawnRule<float, 3, 1, 3, StencilShape::star>>({1, 5, 40});
  check<Mixture<2, StencilShape::star>>({37, 23, 1});
  check<Mixture<3, StencilShape::star>>({9, 8, 7});
}

// Each way that threads share the cells, wherever it runs.
template <bool ByRows, class Rule>
void check_threads(const grid::Triple& cells, grid::Index rows_a_thread = 16) {
  using Kernel =
      std::conditional_t<ByRows, detail::MeasureRows<AllOf<Rule>>, detail::MeasureColumns<AllOf<Rule>>>;
  const auto all = RuleFields<Rule>::start(product(cells), 5);
  const AllOf<Rule> measure;
  const Part<Rule> part(cells, {{0, 0, 0}, cells}, all);
  MeasureHistory history = history_of(measurement_of(measure));
  history.reserve(1);
  Kernel kernel{{{measure, detail::CellPlaces(part.where), {}, {}, history.slots()},
                 detail::InCell<AllOf<Rule>>(part.fields.data()),
                 part.where.layout}};
  if constexpr (!ByRows) kernel.rows_a_thread = rows_a_thread;
  for (const int sum : {0, 3}) kernel.scales[sum] = SumScale::make(sum, measure.bound(sum), product(cells));
  const backend::Exec exec;
  Kokkos::parallel_for(
      "haloheap::unit::measure",
      Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>>(exec, 0, kernel.iterations()),
      kernel);
  history.fold(exec);
  exec.fence("haloheap::unit::measured");
  expect_same(values_of(measure, history.read()), measured_plainly(measure, cells, all, std::vector<char>()),
              std::to_string(cells.y) + (ByRows ? " rows" : " rows in columns"));
}

template <class Rule>
void check_sharing(const std::vector<grid::Triple>& boxes) {
  for (const grid::Triple& cells : boxes) {
    check_threads<true, Rule>(cells);
    for (const grid::Index rows : {1, 4, 16, 64}) check_threads<false, Rule>(cells, rows);
  }
}

TEST(Measure, is_the_same_however_threads_share_the_cells) {
  const std::vector<grid::Triple> flat{{1, 1, 1}, {33, 17, 1}, {4, 70, 1}, {0, 5, 1}, {5, 0, 1}};
  const std::vector<grid::Triple> deep{{1, 1, 1}, {5, 3, 5}, {3, 4, 4}, {33, 17, 1}, {70, 1, 37}, {2, 31, 9}};
  check_sharing<DrawnRule<double, 3, 1, 2, StencilShape::star>>(deep);
  check_sharing<Mixture<3, StencilShape::star>>(deep);
  check_sharing<DrawnRule<float, 2, 1, 1, StencilShape::star>>(flat);
  check_sharing<Mixture<2, StencilShape::star>>(flat);
}

/// A measure of one field of doubles, as it is.
struct Plain {
  using Fields = stencil::Fields<double>;
  using Measures = stencil::Measures<Sum, Max, Min>;
  static constexpr int dims = 2;
  double largest = 8;

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    return measured(cell(0), cell(0), cell(0));
  }
  double bound(int /*number*/) const { return largest; }
};

struct Row {
  using Fields = Plain::Fields;
  static constexpr int dims = 2;
};
std::vector<double> of_row(const std::vector<double>& values, const Plain& measure = {}) {
  const grid::Triple cells{static_cast<grid::Index>(values.size()), 1, 1};
  return values_of(measure, words_of(Part<Row>(cells, {{0, 0, 0}, cells}, values), measure));
}
bool same_bits(double one, double other) {
  return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
}

TEST(Measure, of_nothing_is_a_sum_of_zero_and_what_is_beyond_all_others) {
  const auto found = of_row({});
  EXPECT_EQ(found, (std::vector<double>{0, -infinity, infinity}));
}

TEST(Measure, has_a_largest_and_a_smallest_value_in_any_order) {
  const auto largest = [](const std::vector<double>& values) { return of_row(values)[1]; };
  const auto smallest = [](const std::vector<double>& values) { return of_row(values)[2]; };
  EXPECT_EQ(largest({-3, -1, -2}), -1);
  EXPECT_EQ(smallest({3, 1, 2}), 1);
  EXPECT_EQ(largest({1, infinity, -infinity}), infinity);
  EXPECT_EQ(smallest({1, infinity, -infinity}), -infinity);
  EXPECT_EQ(largest({-infinity}), -infinity);
  EXPECT_EQ(largest({0x1p-1074, 0}), 0x1p-1074);
  for (const auto& zeros : {std::vector<double>{0.0, -0.0}, {-0.0, 0.0}}) {
    EXPECT_TRUE(same_bits(largest(zeros), 0.0));
    EXPECT_TRUE(same_bits(smallest(zeros), 0.0));
  }
  EXPECT_TRUE(same_bits(largest({-0.0}), 0.0));
  EXPECT_TRUE(same_bits(smallest({-0.0}), 0.0));
}

static_assert(std::is_same_v<detail::MeasuredValues<RangeOfFloats>, Values<float, 2>>);

struct RowOfFloats {
  using Fields = RangeOfFloats::Fields;
  static constexpr int dims = 2;
};

TEST(Measure, of_floats_has_a_largest_and_a_smallest_value_in_any_order) {
  const auto of_floats = [](std::vector<float> values) {
    const grid::Triple cells{static_cast<grid::Index>(values.size()), 1, 1};
    return values_of(RangeOfFloats{},
                     words_of(Part<RowOfFloats>(cells, {{0, 0, 0}, cells}, values), RangeOfFloats{}));
  };
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(of_floats({-3, -1, -2}), (std::vector<double>{-1, -3}));
  EXPECT_EQ(of_floats({1, inf, -inf}), (std::vector<double>{infinity, -infinity}));
  EXPECT_EQ(of_floats({0x1p-149F, 0}), (std::vector<double>{0x1p-149, 0}));
  for (const float one : {0.0F, -0.0F})
    for (const float other : {0.0F, -0.0F})
      for (const double found : of_floats({one, other})) EXPECT_TRUE(same_bits(found, 0.0));
  for (const float bad : {std::nanf(""), -std::nanf("")})
    for (const auto& values : {std::vector<float>{bad, 1, inf}, {1, inf, bad, -inf, 2}, {bad}})
      for (const double found : of_floats(values)) EXPECT_TRUE(std::isnan(found));
}

TEST(Measure, shows_a_cell_that_is_not_a_number) {
  for (const double bad : {nan, -nan})
    for (const auto& values : {std::vector<double>{bad, 1, infinity}, {1, infinity, bad}, {bad}})
      for (const double value : of_row(values)) EXPECT_TRUE(std::isnan(value));
}

TEST(Measure, has_no_sum_beyond_the_bound) {
  EXPECT_EQ(of_row({8, -8, 8})[0], 8);
  for (const double above : {std::nextafter(8, 9), -std::nextafter(8, 9), 1e300, infinity, -infinity}) {
    const auto found = of_row({1, above, 1});
    EXPECT_TRUE(std::isnan(found[0])) << above;
    EXPECT_EQ(found[1], std::fmax(1, above));
    EXPECT_EQ(found[2], std::fmin(1, above));
  }
}

TEST(Measure, adds_up_without_rounding) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) {
    values.push_back(1);
    values.push_back(0x1p-60);
    values.push_back(i % 2 == 0 ? 7 : -7);
  }
  EXPECT_EQ(of_row(values)[0], 1000);  // 2^-50 is less than half a unit in the last place
  values.insert(values.end(), 1000, -1);
  EXPECT_EQ(of_row(values)[0], 1000 * 0x1p-60);
  const MeasuredWords cancelling{{-1, 1, 0x1p-60}};
  EXPECT_EQ(cancelling.value(MeasuredKinds::sum), 0x1p-60);
  // A generous bound.
  EXPECT_EQ(of_row(values, {.largest = 1e9})[0], 1000 * 0x1p-60);
}

TEST(Measure, rounds_a_sum_once_however_it_is_shared_out) {
  const auto value = [](double first, double second, double third) {
    return MeasuredWords{{first, second, third}}.value(MeasuredKinds::sum);
  };
  constexpr double half = 0x1p-53, place = 2 * half, little = 0x1p-120;
  for (const double sign : {1.0, -1.0}) {
    const auto expect = [&](double first, double second, double third, double expected) {
      EXPECT_TRUE(same_bits(value(sign * first, sign * second, sign * third), sign * expected))
          << first << ' ' << second << ' ' << third;
    };
    expect(1, half, 0, 1);
    expect(1, half, little, 1 + place);
    expect(1, half, -little, 1);
    expect(1 + place, half, 0, 1 + 2 * place);
    expect(1 + place, half, -little, 1 + place);
    expect(1 + place, -half, 0, 1);
    expect(1 + place, -half, little, 1 + place);
    expect(1 + place, -half, -little, 1);
    expect(0, 1 + place, half, 1 + 2 * place);
    expect(half, 1, little, 1 + place);
    expect(0x1p40, 1 - 0x1p40, half + place, 1 + 2 * place);
    // Below a power of two numbers lie twice as close.
    expect(1, -half / 2, 0, 1);
    expect(1, -half / 2, little, 1);
    expect(1, -half / 2, -little, 1 - half);
  }
  EXPECT_TRUE(same_bits(value(0, 0, 0), 0.0));
  EXPECT_TRUE(std::isnan(value(nan, 0, 0)));
}

TEST(Measure, rounds_a_value_halfway_between_two_multiples_by_itself) {
  constexpr grid::Index count = 64;
  const double quantum = SumScale::make(0, 8, count).pivot[residual_parts - 1] / 0x1.8p52;
  std::vector<double> values(count, quantum / 2);
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = quantum;
  const auto sum = [&](const grid::Triple& cells) {
    return values_of(Plain{}, words_of(Part<Row>(cells, {{0, 0, 0}, cells}, values), Plain{}))[0];
  };
  for (int turn = 0; turn < 4; ++turn) {
    for (const grid::Triple& cells : {grid::Triple{count, 1, 1}, {1, count, 1}, {4, count / 4, 1}})
      EXPECT_EQ(sum(cells), count * quantum) << turn << ' ' << cells.x;
    std::rotate(values.begin(), values.begin() + 1, values.end());
  }
}

TEST(Measure, wants_bounds_that_are_numbers) {
  for (const double bound : {0.0, -1.0, nan, infinity, 1e-290, 1e290})
    EXPECT_THROW(of_row({1}, {.largest = bound}), UsageError) << bound;
  EXPECT_EQ(of_row({1e-280}, {.largest = 1e-270})[0], 1e-280);
  EXPECT_EQ(of_row({1e269}, {.largest = 1e270})[0], 1e269);
}

TEST(MeasureHistory, keeps_one_state_after_another) {
  const grid::Triple cells{3, 1, 1};
  Part<Row> part(cells, {{0, 0, 0}, cells}, {1, 2, 3});
  const Measurement measurement = measurement_of(Plain{});
  const auto run = measurement.on(part.where);
  MeasureHistory history = history_of(measurement);
  const backend::Exec exec;
  const auto measure = [&](const std::vector<double>& values) {
    to_device(part.in_memory(values), part.fields);
    run->run(exec, part.fields.data(), history.slots());
    history.fold(exec);
    exec.fence("haloheap::unit::measured");
  };
  EXPECT_TRUE(history.reserve(1));
  measure({1, 2, 3});
  EXPECT_TRUE(history.reserve(1));
  measure({-1, -2, -3});
  while (history.has_room(1)) {
    EXPECT_FALSE(history.reserve(1));
    measure({-1, -2, -3});
  }
  EXPECT_TRUE(history.reserve(1));
  measure({0, 0, 4});
  const auto found = values_of(Plain{}, history.read());
  ASSERT_GE(found.size(), 9U);
  EXPECT_EQ(std::vector<double>(found.begin(), found.begin() + 3), (std::vector<double>{6, 3, 1}));
  EXPECT_EQ(std::vector<double>(found.begin() + 3, found.begin() + 6), (std::vector<double>{-6, -1, -3}));
  EXPECT_EQ(std::vector<double>(found.end() - 3, found.end()), (std::vector<double>{4, 4, 0}));
  history.reset();
  EXPECT_TRUE(history.read().empty());
}

TEST(MeasureHistory, has_no_more_states_than_reserved) {
  const grid::Triple cells{2, 1, 1};
  const Part<Row> part(cells, {{0, 0, 0}, cells}, {1, 2});
  const Measurement measurement = measurement_of(Plain{});
  const MeasureHistory history = history_of(measurement);
  const backend::Exec exec;
  measurement.on(part.where)->run(exec, part.fields.data(), history.slots());
  history.fold(exec);
  exec.fence("haloheap::unit::measured");
  try {
    (void)history.read();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).find("1 states were added to a measure history with room for 0"), 0U);
  }
}

}  // namespace
}  // namespace haloheap::stencil
