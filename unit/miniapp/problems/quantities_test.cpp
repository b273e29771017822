// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/report/comparisons.hpp>
#include <haloheap/miniapp/report/layout.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace haloheap {
namespace {

using report::Point;
using report::Quantity;
using report::QuantityList;

QuantityList quantities_of(const std::string& problem) {
  return problems().at(problem).make()->quantities();
}

const Quantity* find(const QuantityList& quantities, const std::string& name) {
  const auto found =
      std::find_if(quantities.begin(), quantities.end(), [&](const Quantity* q) { return q->name == name; });
  if (found == quantities.end()) throw InternalError("no quantity " + name);
  return *found;
}

/// All that a point of a problem may have.
QuantityList everything_of(const ProblemEntry& info) {
  QuantityList all = list_of(report::point_head(), report::point_tail());
  for (const Quantity* quantity : info.make()->quantities()) all.push_back(quantity);
  return all;
}

TEST(ProblemQuantities, have_a_title_and_whole_sentences) {
  for (const ProblemEntry& info : problems())
    for (const Quantity* quantity : everything_of(info)) {
      EXPECT_FALSE(quantity->title.empty()) << quantity->name;
      EXPECT_TRUE(quantity->help.ends_with(".")) << quantity->name << ": " << quantity->help;
      EXPECT_EQ(quantity->help.find('\n'), std::string::npos) << quantity->name;
    }
}

TEST(ProblemQuantities, have_places_of_their_own_in_the_tree) {
  for (const ProblemEntry& info : problems()) {
    std::set<std::string> leaves, branches;
    for (const Quantity* quantity : everything_of(info)) {
      EXPECT_TRUE(leaves.insert(quantity->name).second) << info.name << " has twice " << quantity->name;
      for (std::size_t dot = quantity->name.find('.'); dot != std::string::npos;
           dot = quantity->name.find('.', dot + 1))
        branches.insert(quantity->name.substr(0, dot));
    }
    for (const std::string& branch : branches) EXPECT_FALSE(leaves.contains(branch)) << branch;
  }
}

TEST(ProblemQuantities, rank_points_by_one_time_where_they_are_compared_by_it) {
  for (const ProblemEntry& info : problems()) {
    const auto merits = [&](const QuantityList& all) {
      return std::count_if(all.begin(), all.end(), [](const Quantity* q) { return q->merit; });
    }(quantities_of(info.name));
    EXPECT_LE(merits, 1) << info.name;
    const bool of_allocators = std::count(info.add_keys.begin(), info.add_keys.end(), add_allocator_keys) > 0;
    if (of_allocators) {
      EXPECT_EQ(merits, 1) << info.name;
    }
  }
}

Point with_allocator(const QuantityList& quantities, const char* name, std::int64_t floats, double time) {
  Point point;
  point.work.problem = "allocation";
  point.deck = {{"allocator.name", std::string(name)}, {"allocation.floats", floats}};
  point.measured = {{find(quantities, "figures.allocate_us"), 99.0},
                    {find(quantities, "figures.work_us"), time}};
  return point;
}

TEST(AllocatorSpeedup, is_the_time_of_native_over_the_own) {
  const QuantityList all = quantities_of("allocation");
  std::vector<Point> points = {with_allocator(all, "bump", 100, 2), with_allocator(all, "native", 100, 6),
                               with_allocator(all, "native", 200, 8),
                               with_allocator(all, "slab_walk", 200, 4),
                               with_allocator(all, "slab_walk", 300, 4)};
  fill_comparisons(points, "allocation", all);
  EXPECT_EQ(points[0].number("speedup"), 3.0);
  EXPECT_EQ(points[1].number("speedup"), 1.0);
  EXPECT_EQ(points[2].number("speedup"), 1.0);
  EXPECT_EQ(points[3].number("speedup"), 2.0);
  EXPECT_FALSE(points[4].number("speedup")) << "native did not run with 300 floats";
}

TEST(AllocatorSpeedup, is_absent_without_a_time) {
  const QuantityList all = quantities_of("allocation");
  std::vector<Point> points = {with_allocator(all, "bump", 100, 0), with_allocator(all, "native", 100, 6)};
  fill_comparisons(points, "allocation", all);
  EXPECT_FALSE(points[0].number("speedup")) << "no time, no ratio";
}

Point container_point(const QuantityList& quantities, const std::string& policy, bool peer,
                      std::int64_t devices, double seconds) {
  Point point;
  point.work.problem = "nbody";
  point.deck = {{"coherence.devices", devices}, {"coherence.policy", policy}, {"coherence.peer", peer}};
  point.measured = {{find(quantities, "wall_s.median"), seconds}};
  return point;
}

TEST(NormalisedTimes, are_over_the_papers_mechanism_with_peer_copies) {
  const QuantityList all = quantities_of("nbody");
  std::vector<Point> points = {
      container_point(all, "none", true, 2, 8), container_point(all, "paper", true, 2, 2),
      container_point(all, "paper", false, 2, 3), container_point(all, "region", true, 1, 5),
      container_point(all, "none", true, 3, 5)};
  fill_comparisons(points, "nbody", all);
  EXPECT_EQ(points[0].number("figures.normalised"), 4);
  EXPECT_EQ(points[1].number("figures.normalised"), 1);
  EXPECT_EQ(points[2].number("figures.normalised"), 1.5);
  EXPECT_EQ(points[3].number("figures.normalised"), 1) << "without that of policy paper, that of region";
  EXPECT_FALSE(points[4].number("figures.normalised")) << "without either, none";
}

}  // namespace
}  // namespace haloheap
