// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/grids/grid_results.hpp>
#include <haloheap/unit/miniapp/report/sample.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

using report::Point;
using report::sample::HeatPoint;
using report::sample::point;
namespace sample = report::sample;

/// The points, compared with each other.
std::vector<Point> compared(const std::vector<HeatPoint>& before) {
  std::vector<Point> points(before.begin(), before.end());
  fill_comparisons(points, "heat2d", list_of(grid_quantities()));
  return points;
}

std::optional<double> hidden_share(const Point& point) {
  return point.number("hidden_share");
}
std::optional<double> speedup(const Point& point) {
  return point.number("speedup");
}

HeatPoint with_phases(HeatPoint point, const GridPhases& phases) {
  point.result.phases = phases;
  return point;
}

void expect_thesis_coverage(const std::array<sample::ThesisRow, 7>& rows) {
  std::vector<HeatPoint> before;
  for (const auto& row : rows) {
    before.push_back(point(row.depth, "sync", "first_step", row.overlapped));
    before.push_back(with_phases(point(row.depth, "sync", "none", row.serial),
                                 {0.2, row.unpack, row.message, 0, 0, 4.7, row.desynchronisation}));
  }
  const auto points = compared(before);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_TRUE(hidden_share(points[2 * i])) << "depth " << rows[i].depth;
    // [Valen2023] worked on unrounded times: its appendix prints four decimals.
    EXPECT_NEAR(100 * *hidden_share(points[2 * i]), rows[i].covered, 0.03) << "depth " << rows[i].depth;
    EXPECT_FALSE(hidden_share(points[2 * i + 1])) << "a point without overlap hides nothing";
  }
}

TEST(HiddenShare, is_the_thesis_table_5_2_on_the_a100) {
  expect_thesis_coverage(sample::a100_rows);
}

TEST(HiddenShare, is_the_thesis_table_5_1_on_the_v100) {
  expect_thesis_coverage(sample::v100_rows);
}

TEST(HiddenShare, is_negative_when_the_overlap_costs_time) {
  const auto points = compared({with_phases(point(4, "async", "none", 1.0), {0, 0.1, 0.4, 0, 0, 0.5, {}}),
                                point(4, "async", "first_step", 1.1)});
  ASSERT_TRUE(hidden_share(points[1]));
  EXPECT_NEAR(*hidden_share(points[1]), -0.2, 1e-12);
}

TEST(HiddenShare, needs_the_partner_and_its_phases) {
  const GridPhases phases{0, 0.1, 0.1, 0, 0, 0, {}};
  const auto points = compared({point(4, "sync", "none", 1.0), point(4, "sync", "first_step", 0.9),
                                with_phases(point(8, "sync", "none", 1.0), phases),
                                with_phases(point(4, "async", "none", 1.0), phases)});
  EXPECT_FALSE(hidden_share(points[1])) << "its partner has no phases; depth 8 and async are no partners";
}

TEST(HiddenShare, is_absent_when_nothing_was_communicated) {
  const auto points =
      compared({with_phases(point(1, "sync", "none", 1.0), {}), point(1, "sync", "first_step", 0.9)});
  EXPECT_FALSE(hidden_share(points[1]));
}

TEST(Speedup, is_over_sync_none_depth_one) {
  const auto points = compared(
      {point(8, "async", "first_step", 2.0), point(1, "sync", "none", 3.0), point(1, "async", "none", 6.0)});
  EXPECT_DOUBLE_EQ(speedup(points[0]).value(), 1.5);
  EXPECT_DOUBLE_EQ(speedup(points[1]).value(), 1.0);
  EXPECT_DOUBLE_EQ(speedup(points[2]).value(), 0.5);
}

TEST(Speedup, compares_only_points_that_agree_in_every_other_key) {
  HeatPoint another = point(2, "sync", "none", 2.0);
  another.head.deck.back().second = std::string("pinned");
  const auto points = compared({point(1, "sync", "none", 3.0), another});
  EXPECT_DOUBLE_EQ(speedup(points[0]).value(), 1.0);
  EXPECT_FALSE(speedup(points[1])) << "another transport is no reference";
}

TEST(Speedup, and_hidden_share_are_absent_where_nothing_was_computed) {
  HeatPoint exchanges = point(1, "sync", "first_step", 1.0);
  exchanges.result.updates = 0;
  const auto points =
      compared({with_phases(point(1, "sync", "none", 3.0), {0, 0.1, 0.1, 0, 0, 0, {}}), exchanges});
  EXPECT_FALSE(speedup(points[1]));
  EXPECT_FALSE(hidden_share(points[1]));
}

TEST(OverlapTerms, compare_what_is_saved_with_what_could_be) {
  const OverlapTerms terms{.serial = 10, .overlapped = 7, .exchange = 4, .interior = 6};
  EXPECT_DOUBLE_EQ(terms.hidden().value(), 0.75);
  EXPECT_DOUBLE_EQ(terms.efficiency().value(), 0.75);
  const OverlapTerms little_interior{.serial = 10, .overlapped = 9, .exchange = 4, .interior = 2};
  EXPECT_DOUBLE_EQ(little_interior.hidden().value(), 0.25);
  EXPECT_DOUBLE_EQ(little_interior.efficiency().value(), 0.5);
  const OverlapTerms costs_time{.serial = 9, .overlapped = 10, .exchange = 4, .interior = 2};
  EXPECT_DOUBLE_EQ(costs_time.hidden().value(), -0.25);
  const OverlapTerms nothing_sent{.serial = 9, .overlapped = 10, .exchange = 0, .interior = 2};
  EXPECT_FALSE(nothing_sent.hidden());
  EXPECT_FALSE(nothing_sent.efficiency());
}

TEST(GridQuantities, rates_are_of_useful_updates_over_the_median) {
  HeatPoint heat = point(1, "sync", "none", 2.0);
  heat.result.updates = 4e9;
  heat.result.update_bytes = 16;
  heat.result.copy_bandwidth = 64e9;
  const Point measured = heat;
  EXPECT_DOUBLE_EQ(measured.number("gcells_per_s").value(), 2.0);
  EXPECT_DOUBLE_EQ(measured.number("effective_bandwidth_bytes_per_s").value(), 32e9);
  EXPECT_DOUBLE_EQ(measured.number("fraction_of_copy").value(), 0.5);
  EXPECT_FALSE(measured.number("exchange_s"));
}

TEST(GridQuantities, of_exchanges_alone_are_no_rates) {
  const Point measured = sample::exchange_alone();
  EXPECT_DOUBLE_EQ(measured.number("exchange_s").value(), 25e-6);
  for (const char* rate : {"gcells_per_s", "effective_bandwidth_bytes_per_s", "fraction_of_copy"})
    EXPECT_FALSE(measured.number(rate)) << rate;
}

}  // namespace
}  // namespace haloheap
