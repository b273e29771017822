// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/derive.hpp>
#include <haloheap/unit/miniapp/report/sample.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace haloheap::report {
namespace {

using sample::point;

void expect_thesis_coverage(const std::array<sample::ThesisRow, 7>& rows) {
  std::vector<Point> points;
  for (const auto& row : rows) {
    points.push_back(point(row.depth, "sync", "first_step", row.overlapped));
    points.push_back(point(row.depth, "sync", "none", row.serial));
    points.back().phases = Phases{0.2, row.unpack, row.message, 0, 0, 4.7, row.desynchronisation};
  }
  fill_hidden_shares(points);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_TRUE(points[2 * i].hidden_share) << "depth " << rows[i].depth;
    // The thesis worked on unrounded times: its appendix prints four decimals.
    EXPECT_NEAR(100 * *points[2 * i].hidden_share, rows[i].covered, 0.03) << "depth " << rows[i].depth;
    EXPECT_FALSE(points[2 * i + 1].hidden_share) << "a point without overlap hides nothing";
  }
}

TEST(HiddenShare, is_the_thesis_table_5_2_on_the_a100) {
  expect_thesis_coverage(sample::a100_rows);
}

TEST(HiddenShare, is_the_thesis_table_5_1_on_the_v100) {
  expect_thesis_coverage(sample::v100_rows);
}

TEST(HiddenShare, is_negative_when_the_overlap_costs_time) {
  std::vector<Point> points = {point(4, "async", "none", 1.0), point(4, "async", "first_step", 1.1)};
  points[0].phases = Phases{0, 0.1, 0.4, 0, 0, 0.5, {}};
  fill_hidden_shares(points);
  ASSERT_TRUE(points[1].hidden_share);
  EXPECT_NEAR(*points[1].hidden_share, -0.2, 1e-12);
}

TEST(HiddenShare, needs_the_partner_and_its_phases) {
  std::vector<Point> points = {point(4, "sync", "none", 1.0), point(4, "sync", "first_step", 0.9),
                               point(8, "sync", "none", 1.0), point(4, "async", "none", 1.0)};
  points[2].phases = Phases{0, 0.1, 0.1, 0, 0, 0, {}};
  points[3].phases = Phases{0, 0.1, 0.1, 0, 0, 0, {}};
  fill_hidden_shares(points);
  EXPECT_FALSE(points[1].hidden_share) << "its partner has no phases; depth 8 and async are no partners";
}

TEST(HiddenShare, is_absent_when_nothing_was_communicated) {
  std::vector<Point> points = {point(1, "sync", "none", 1.0), point(1, "sync", "first_step", 0.9)};
  points[0].phases = Phases{};
  points[1].hidden_share = 0.5;
  fill_hidden_shares(points);
  EXPECT_FALSE(points[1].hidden_share);
}

TEST(Speedup, is_over_sync_none_depth_one) {
  std::vector<Point> points = {point(8, "async", "first_step", 2.0), point(1, "sync", "none", 3.0),
                               point(1, "async", "none", 6.0)};
  fill_speedups(points);
  EXPECT_DOUBLE_EQ(points[0].speedup.value(), 1.5);
  EXPECT_DOUBLE_EQ(points[1].speedup.value(), 1.0);
  EXPECT_DOUBLE_EQ(points[2].speedup.value(), 0.5);
}

TEST(Speedup, compares_only_points_that_agree_in_every_other_key) {
  std::vector<Point> points = {point(1, "sync", "none", 3.0), point(2, "sync", "none", 2.0)};
  points[1].deck.back().second = std::string("pinned");
  fill_speedups(points);
  EXPECT_DOUBLE_EQ(points[0].speedup.value(), 1.0);
  EXPECT_FALSE(points[1].speedup) << "another transport is no reference";
}

TEST(Speedup, is_absent_for_a_deck_without_halo) {
  std::vector<Point> points(1);
  points[0].wall.median = 1;
  points[0].deck = {{"malloc.bytes", std::int64_t{16}}};
  fill_speedups(points);
  fill_hidden_shares(points);
  EXPECT_FALSE(points[0].speedup);
  EXPECT_FALSE(points[0].hidden_share);
}

TEST(Speedup, and_hidden_share_are_absent_where_nothing_was_computed) {
  std::vector<Point> points = {point(1, "sync", "none", 3.0), sample::exchange_alone()};
  points[0].phases = Phases{0, 0.1, 0.1, 0, 0, 0, {}};
  points[1].deck = point(1, "sync", "first_step", 1.0).deck;
  fill_speedups(points);
  fill_hidden_shares(points);
  EXPECT_FALSE(points[1].speedup);
  EXPECT_FALSE(points[1].hidden_share);
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

TEST(Speedup, forgets_what_stood_there_before) {
  std::vector<Point> points = {point(2, "sync", "none", 2.0)};
  points[0].speedup = 7;
  fill_speedups(points);
  EXPECT_FALSE(points[0].speedup);
}

Point with_allocator(const char* name, std::int64_t floats, double time) {
  Point point;
  point.deck = {{"allocator.name", std::string(name)}, {"allocation.floats", floats}};
  point.figures = {{"allocate_us", "", 99}, {"work_us", "", time, true}};
  return point;
}

TEST(AllocatorSpeedup, is_the_compared_figure_of_native_over_the_own) {
  std::vector<Point> points = {with_allocator("bump", 100, 2), with_allocator("native", 100, 6),
                               with_allocator("native", 200, 8), with_allocator("slab_walk", 200, 4),
                               with_allocator("slab_walk", 300, 4)};
  fill_allocator_speedups(points);
  EXPECT_EQ(points[0].speedup, 3.0);
  EXPECT_EQ(points[1].speedup, 1.0);
  EXPECT_EQ(points[2].speedup, 1.0);
  EXPECT_EQ(points[3].speedup, 2.0);
  EXPECT_FALSE(points[4].speedup) << "native did not run with 300 floats";
}

TEST(AllocatorSpeedup, leaves_points_without_such_a_figure_alone) {
  std::vector<Point> points = {point(1, "sync", "none", 2.0)};
  points[0].speedup = 1.5;
  points.push_back(with_allocator("bump", 100, 0));
  points.push_back(with_allocator("native", 100, 6));
  fill_allocator_speedups(points);
  EXPECT_EQ(points[0].speedup, 1.5);
  EXPECT_FALSE(points[1].speedup) << "no time, no ratio";
}

Point container_point(const std::string& policy, bool peer, std::int64_t devices, double seconds) {
  Point result;
  result.deck = {{"coherence.devices", devices}, {"coherence.policy", policy}, {"coherence.peer", peer}};
  result.wall.median = seconds;
  result.figures.push_back({"allocated_mb", "", 1});
  return result;
}

TEST(NormalisedTimes, are_over_the_papers_mechanism_with_peer_copies) {
  std::vector<Point> points = {container_point("none", true, 2, 8), container_point("paper", true, 2, 2),
                               container_point("paper", false, 2, 3), container_point("region", true, 1, 5),
                               container_point("none", true, 3, 5)};
  fill_normalised_times(points);
  const auto last = [](const Point& point) { return point.figures.back(); };
  EXPECT_EQ(last(points[0]).value, 4);
  EXPECT_EQ(last(points[1]).value, 1);
  EXPECT_EQ(last(points[2]).value, 1.5);
  EXPECT_EQ(last(points[3]).value, 1) << "without the paper's, region's";
  EXPECT_EQ(last(points[4]).name, "allocated_mb") << "without either, none";
}

}  // namespace
}  // namespace haloheap::report
