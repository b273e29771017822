// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/allocators/graph_arrays.hpp>
#include <haloheap/miniapp/problems/allocators/graph_kernels.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace haloheap {
namespace {

GraphSettings graph_settings(const std::string& text) {
  return read_graph(deck::load_text(app_schema(), "problem = 'graph'\n" + text, "a.toml").point(0));
}

std::string graph_cause(const std::string& text) {
  try {
    graph_settings(text);
  } catch (const UsageError& error) {
    const std::string all = error.what();
    return all.substr(0, all.find('\n'));
  }
  return "";
}

GraphRuns run_graph_of(const GraphSettings& settings) {
  const auto memory = memory::make_memory_resource("device");
  return run_graph(settings, {{}, memory, memory}, [](int) {});
}

std::uint32_t largest_degree(const GraphEdges& edges) {
  std::vector<std::uint32_t> degrees(edges.vertices);
  for (const Edge& edge : edges.initial()) ++degrees[edge.from];
  return *std::max_element(degrees.begin(), degrees.end());
}

TEST(GraphEdges, HaveBothEndsInTheGraph) {
  for (const GraphKind kind : {GraphKind::uniform, GraphKind::rmat})
    for (const std::uint32_t vertices : {1U, 2U, 5U, 100U}) {
      const GraphEdges edges = {
          .vertices = vertices, .degree = 7, .kind = kind, .batches = 1, .inserted = 30};
      std::vector<Edge> all = edges.initial();
      EXPECT_EQ(all.size(), 7 * vertices);
      EXPECT_EQ(edges.batch(0).size(), 30U);
      EXPECT_EQ(edges.count(), 7 * vertices + 30);
      for (const Edge& edge : edges.batch(0)) all.push_back(edge);
      for (const Edge& edge : all) EXPECT_TRUE(edge.from < vertices && edge.to < vertices);
    }
}

TEST(GraphEdges, AreThoseOfTheirSeed) {
  const GraphEdges edges = {.vertices = 50, .degree = 4, .batches = 2, .inserted = 20, .seed = 3};
  GraphEdges other = edges;
  other.seed = 4;
  EXPECT_EQ(edges.initial(), edges.initial());
  EXPECT_NE(edges.initial(), other.initial());
  EXPECT_NE(edges.batch(0), edges.batch(1));
}

TEST(GraphEdges, OfRmatCrowdAtFewVertices) {
  GraphEdges edges = {.vertices = 4096, .degree = 16};
  EXPECT_LT(largest_degree(edges), 50U);
  edges.kind = GraphKind::rmat;
  EXPECT_GT(largest_degree(edges), 400U);
}

TEST(GraphEdges, OfFewSourcesAreNeighbours) {
  const GraphEdges edges = {.vertices = 1000, .batches = 3, .inserted = 500, .sources = 10};
  std::set<std::uint32_t> beginnings;
  for (int i = 0; i < 3; ++i) {
    std::set<std::uint32_t> sources;
    for (const Edge& edge : edges.batch(i)) sources.insert(edge.from);
    EXPECT_EQ(sources.size(), 10U);
    EXPECT_EQ(*sources.rbegin() - *sources.begin(), 9U);
    beginnings.insert(*sources.begin());
  }
  EXPECT_GT(beginnings.size(), 1U) << "each batch has others";
}

TEST(EdgeGroups, HaveEachEdgeAtItsSource) {
  const EdgeGroups groups({{4, 1}, {2, 7}, {4, 0}, {9, 9}, {2, 7}});
  EXPECT_EQ(groups.sources, (std::vector<std::uint32_t>{2, 4, 9}));
  EXPECT_EQ(groups.begin, (std::vector<std::uint32_t>{0, 2, 4, 5}));
  EXPECT_EQ(groups.targets, (std::vector<std::uint32_t>{7, 7, 1, 0, 9}));
  EXPECT_EQ(EdgeGroups({}).begin, (std::vector<std::uint32_t>{0}));
}

TEST(GraphRows, OfTheReferenceAreAllEdges) {
  const GraphEdges edges = {.vertices = 20, .degree = 3, .batches = 2, .inserted = 15};
  const GraphRows rows = reference_rows(edges);
  const auto count = [&](const Edge& edge) {
    return std::count(rows.targets.begin() + rows.begin[edge.from],
                      rows.targets.begin() + rows.begin[edge.from + 1], edge.to);
  };
  EXPECT_EQ(rows.targets.size(), edges.count());
  std::vector<Edge> all = edges.initial();
  for (int i = 0; i < 2; ++i)
    for (const Edge& edge : edges.batch(i)) all.push_back(edge);
  for (const Edge& edge : all) EXPECT_EQ(count(edge), std::count(all.begin(), all.end(), edge));
}

TEST(GraphRows, DifferByAnyEdgeButNotByTheirOrder) {
  const GraphRows rows = {{0, 2, 2, 5}, {8, 9, 1, 1, 3}};
  EXPECT_EQ(wrong_vertices(rows, {{0, 2, 2, 5}, {9, 8, 3, 1, 1}}), 0U);
  EXPECT_EQ(wrong_vertices(rows, {{0, 2, 2, 5}, {9, 8, 3, 3, 1}}), 1U) << "another one twice";
  EXPECT_EQ(wrong_vertices(rows, {{0, 2, 2, 4}, {9, 8, 1, 3}}), 1U) << "one is missing";
  EXPECT_EQ(wrong_vertices(rows, {{0, 1, 2, 5}, {9, 8, 1, 1, 3}}), 2U) << "one is at another vertex";
}

TEST(EdgeArray, GrowsToPowersOfTwo) {
  for (const auto& [needed, places] : {std::pair(1U, 4U), {4U, 4U}, {5U, 8U}, {64U, 64U}, {65U, 128U}})
    EXPECT_EQ(EdgeArray::grown(needed), places);
}

TEST(Graph, EveryHeapAndListHasAllEdges) {
  for (const std::string& heap : lane_allocators())
    for (const char* lists : {"arrays", "container"})
      for (const int vertices : {1, 50, 333}) {
        // Heaps of pages have no more than 64 edges in a list.
        const GraphSettings settings = graph_settings(fmt::format(
            "allocator = {{name = '{}', pool = 0.00390625}}\ngraph = {{lists = '{}', vertices = {}, degree = "
            "3, batches = 3, "
            "inserted = {}, kind = 'uniform'}}\nrun = {{verify = true, repetitions = 1, warmup = 1}}",
            heap, lists, vertices, std::min(vertices, 100)));
        const GraphRuns runs = run_graph_of(settings);
        EXPECT_EQ(wrong_vertices(reference_rows(settings.edges), runs.rows), 0U) << heap << ", " << lists;
        EXPECT_EQ(runs.rows.targets.size(), settings.edges.count());
        EXPECT_EQ(runs.times.size(), 1U);
      }
}

TEST(Graph, ListsMoveAndMoveAgain) {
  for (const char* lists : {"arrays", "container"})
    for (const char* kind : {"uniform", "rmat"}) {
      const GraphSettings settings =
          graph_settings(fmt::format("allocator = {{name = 'slab_walk', pool = 0.00390625}}\ngraph = {{lists "
                                     "= '{}', kind = '{}', vertices = 500, degree = 5, "
                                     "batches = 9, inserted = 700, sources = 4}}\nrun.verify = true",
                                     lists, kind));
      EXPECT_EQ(wrong_vertices(reference_rows(settings.edges), run_graph_of(settings).rows), 0U)
          << lists << kind;
    }
}

TEST(Graph, WithoutEdgesHasNone) {
  for (const char* lists : {"arrays", "container"}) {
    const GraphSettings settings =
        graph_settings(fmt::format("allocator = {{name = 'slab_walk', pool = 0.00390625}}\ngraph = {{lists = "
                                   "'{}', vertices = 3, degree = 0, "
                                   "batches = 2, inserted = 0}}\nrun.verify = true",
                                   lists));
    const GraphRuns runs = run_graph_of(settings);
    EXPECT_EQ(runs.rows.begin, (std::vector<std::uint32_t>{0, 0, 0, 0}));
    EXPECT_EQ(runs.in_use, std::size_t{0});
  }
}

TEST(Graph, OfArraysTakesWhatItsDegreesNeed) {
  const auto runs = [](int batches) {
    return run_graph_of(
        graph_settings(fmt::format("allocator = {{name = 'slab_walk', pool = 0.00390625}}\ngraph = "
                                   "{{vertices = 1, degree = 16, batches = {}, inserted = 1}}",
                                   batches)));
  };
  EXPECT_EQ(runs(0).in_use, std::size_t{16 * 4}) << "as many places as edges";
  EXPECT_EQ(runs(1).initial_in_use, std::size_t{16 * 4});
  EXPECT_EQ(runs(1).in_use, std::size_t{32 * 4}) << "the next power of two";
  EXPECT_EQ(runs(16).in_use, std::size_t{32 * 4});
  EXPECT_EQ(runs(17).in_use, std::size_t{64 * 4}) << "what was full is given back";
}

TEST(Graph, AHeapThatIsTooSmallIsSaidSo) {
  for (const char* lists : {"arrays", "container"})
    for (const std::string heap : {"slab_walk", "bump", "random_walk"}) {
      try {
        run_graph_of(graph_settings(fmt::format(
            "allocator = {{name = '{}', pool = 0.0009765625}}\ngraph = {{lists = '{}', vertices = 4000, "
            "degree = 100}}",
            heap, lists)));
        ADD_FAILURE() << heap;
      } catch (const OutOfMemory& error) {
        EXPECT_NE(std::string(error.what()).find(fmt::format("edges found no room in lists from '{}'", heap)),
                  std::string::npos)
            << error.what();
      }
    }
}

TEST(Graph, WhatCannotBeIsRefused) {
  EXPECT_NE(graph_cause("graph = {vertices = 5, sources = 6}").find("a batch cannot go to 6 of 5 vertices"),
            std::string::npos);
  EXPECT_NE(
      graph_cause("graph = {vertices = 100000000, degree = 30}").find("edges are more than can be counted"),
      std::string::npos);
  EXPECT_NE(graph_cause("graph.vertices = 0"), "");
  EXPECT_NE(graph_cause("allocator.name = 'block_header'").find("here each thread asks for itself"),
            std::string::npos);
}

}  // namespace
}  // namespace haloheap
