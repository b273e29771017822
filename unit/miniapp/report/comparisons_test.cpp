// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/comparisons.hpp>
#include <haloheap/unit/miniapp/report/sample.hpp>

#include <gtest/gtest.h>

namespace haloheap::report {
namespace {

using sample::with_figures;

std::vector<Point> compared(std::vector<Point> points, const std::string& problem = "kernels") {
  fill_comparisons(points, problem, list_of(sample::kernel_quantities()));
  return points;
}

std::optional<double> relation(const Point& point) {
  return point.number("figures.relation");
}

TEST(Comparisons, take_the_first_reference_that_ran) {
  auto points = compared({with_figures(3, 6), with_figures(2, 4), with_figures(1, 2)});
  EXPECT_EQ(relation(points[0]), 3.0);
  EXPECT_EQ(relation(points[1]), 2.0);
  EXPECT_EQ(relation(points[2]), 1.0);
  points = compared({with_figures(3, 6), with_figures(2, 4)});
  EXPECT_EQ(relation(points[0]), 1.5) << "without a = 1 it is a = 2";
  points = compared({with_figures(3, 6)});
  EXPECT_FALSE(relation(points[0])) << "without either there is none";
}

TEST(Comparisons, are_with_points_that_agree_in_every_other_key) {
  std::vector<Point> points = {with_figures(1, 2), with_figures(3, 6), with_figures(4, 8)};
  for (Point& point : points) point.deck.emplace_back("b", std::int64_t{1});
  points[2].deck.back().second = std::int64_t{2};
  points = compared(points);
  EXPECT_EQ(relation(points[1]), 3.0);
  EXPECT_FALSE(relation(points[2]));
}

TEST(Comparisons, need_the_key_that_tells_the_reference) {
  std::vector<Point> points = {with_figures(1, 2)};
  points[0].deck = {{"b", std::int64_t{1}}};
  EXPECT_FALSE(relation(compared(points)[0]));
}

TEST(Comparisons, are_those_of_the_points_own_problem) {
  const auto points = compared({with_figures(1, 2)}, "another");
  EXPECT_FALSE(relation(points[0]));
}

TEST(Comparisons, are_absent_where_the_problem_says_so) {
  const auto points = compared({with_figures(1, 0), with_figures(2, 4)});
  EXPECT_FALSE(relation(points[0]));
  EXPECT_FALSE(relation(points[1]));
}

TEST(Merit, is_the_time_by_which_points_are_ranked) {
  EXPECT_EQ(merit_of(with_figures(1, 7)), 7.0);
  EXPECT_FALSE(merit_of(Point{}));
}

}  // namespace
}  // namespace haloheap::report
