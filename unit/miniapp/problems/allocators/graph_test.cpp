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

/// How often there is such an edge.
std::ptrdiff_t times_in(const std::vector<Edge>& all, const Edge& edge) {
  return std::count(all.begin(), all.end(), edge);
}

TEST(GraphEdges, ThatGoHaveBeenThere) {
  for (const std::uint32_t sources : {0U, 5U}) {
    const GraphEdges edges = {
        .vertices = 20, .degree = 3, .batches = 4, .inserted = 50, .deleted = 45, .sources = sources};
    std::vector<Edge> all = edges.initial();
    for (int i = 0; i < 4; ++i) {
      const std::vector<Edge> batch = edges.batch(i);
      all.insert(all.end(), batch.begin(), batch.end());
      const std::vector<Edge> before = all, deleted = edges.take_deleted(i, all);
      EXPECT_EQ(deleted.size(), 45U);
      EXPECT_EQ(all.size(), before.size() - 45);
      for (const Edge& edge : before)
        EXPECT_EQ(times_in(before, edge), times_in(all, edge) + times_in(deleted, edge));
      EXPECT_NE(deleted, std::vector<Edge>(batch.end() - 45, batch.end())) << "not just those that came last";
      const auto of_batch = [&batch](const auto less) {
        return std::minmax_element(batch.begin(), batch.end(), less);
      };
      const auto [lowest, highest] = of_batch([](const Edge& a, const Edge& b) { return a.from < b.from; });
      for (const Edge& edge : deleted) EXPECT_TRUE(edge.from >= lowest->from && edge.from <= highest->from);
    }
    EXPECT_EQ(all.size(), edges.count());
  }
}

TEST(GraphEdges, OfABatchMayAllGo) {
  const GraphEdges edges = {.vertices = 7, .batches = 2, .inserted = 30, .deleted = 30, .sources = 2};
  EXPECT_EQ(edges.made_count(), 60U);
  EXPECT_EQ(edges.count(), 0U);
  EXPECT_TRUE(reference_rows(edges).targets.empty());
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

TEST(GraphRows, OfTheReferenceLackWhatHasGone) {
  const GraphEdges edges = {.vertices = 20, .degree = 3, .batches = 3, .inserted = 15, .deleted = 12};
  const GraphUpdates updates(edges);
  const GraphRows rows = reference_rows(edges);
  EXPECT_EQ(rows.targets.size(), edges.count());
  for (std::uint32_t from = 0; from < edges.vertices; ++from)
    for (std::uint32_t to = 0; to < edges.vertices; ++to) {
      std::ptrdiff_t expected = times_in(updates.initial, {from, to});
      for (std::size_t i = 0; i < 3; ++i)
        expected += times_in(updates.inserted[i], {from, to}) - times_in(updates.deleted[i], {from, to});
      EXPECT_EQ(std::count(rows.targets.begin() + rows.begin[from],
                           rows.targets.begin() + rows.begin[from + 1], to),
                expected);
    }
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

TEST(EdgeArray, RemovesOneOfEqualEdges) {
  std::uint32_t places[] = {7, 9, 7, 8};
  EdgeArray list = {reinterpret_cast<std::uintptr_t>(places), 4, 4};
  EXPECT_TRUE(list.remove(7));
  EXPECT_EQ(std::vector<std::uint32_t>(places, places + list.count), (std::vector<std::uint32_t>{8, 9, 7}));
  EXPECT_TRUE(list.remove(7));
  EXPECT_EQ(std::vector<std::uint32_t>(places, places + list.count), (std::vector<std::uint32_t>{8, 9}));
  EXPECT_FALSE(list.remove(7));
  EXPECT_EQ(list.count, 2U);
}

TEST(Graph, EveryHeapAndListLacksWhatHasGone) {
  for (const std::string& heap : lane_allocators())
    for (const char* lists : {"arrays", "container"})
      for (const int sources : {0, 20}) {
        // Heaps of pages have no more than 64 edges in a list.
        const GraphSettings settings = graph_settings(fmt::format(
            "allocator = {{name = '{}', pool = 0.0078125}}\ngraph = {{lists = '{}', vertices = 200, "
            "degree = 6, batches = 4, inserted = 90, deleted = 80, sources = {}}}\nrun = {{verify = "
            "true, repetitions = 2, warmup = 1}}",
            heap, lists, sources));
        const GraphRuns runs = run_graph_of(settings);
        EXPECT_EQ(wrong_vertices(reference_rows(settings.edges), runs.rows), 0U)
            << heap << ", " << lists << ", " << sources;
        EXPECT_EQ(runs.rows.targets.size(), 6U * 200 + 4 * 10);
        for (const GraphTimes& times : runs.times) EXPECT_GT(times.deletion, 0);
        const bool compacts = settings.lists == GraphLists::container && settings.allocator.promises.frees;
        EXPECT_EQ(runs.not_compacted, compacts ? 0 : std::optional<std::size_t>()) << heap << ", " << lists;
      }
}

TEST(Graph, ManyEdgesOfFewVerticesGo) {
  for (const char* lists : {"arrays", "container"}) {
    const GraphSettings settings = graph_settings(
        fmt::format("allocator = {{name = 'slab_walk', pool = 0.00390625}}\ngraph = {{lists "
                    "= '{}', kind = 'rmat', vertices = 500, degree = 5, "
                    "batches = 9, inserted = 700, deleted = 700, sources = 4}}\nrun.verify = true",
                    lists));
    EXPECT_EQ(wrong_vertices(reference_rows(settings.edges), run_graph_of(settings).rows), 0U) << lists;
  }
}

TEST(Graph, OfArraysGivesBackWhatItsEdgesNeedNoMore) {
  const auto in_use = [](int inserted, int deleted) {
    return run_graph_of(graph_settings(fmt::format(
                            "allocator = {{name = 'slab_walk', pool = 0.00390625}}\ngraph = "
                            "{{vertices = 1, degree = 0, batches = 1, inserted = {}, deleted = {}}}",
                            inserted, deleted)))
        .in_use;
  };
  EXPECT_EQ(in_use(65, 0), std::size_t{128 * 4});
  EXPECT_EQ(in_use(65, 1), std::size_t{64 * 4}) << "the power of two below";
  EXPECT_EQ(in_use(64, 31), std::size_t{64 * 4}) << "33 edges need all of them";
  EXPECT_EQ(in_use(64, 32), std::size_t{32 * 4});
  EXPECT_EQ(in_use(65, 64), std::size_t{4 * 4}) << "the least";
  EXPECT_EQ(in_use(65, 65), std::size_t{4 * 4});
}

TEST(Graph, InAContainerGivesBackWhatIsErasedWhenItIsCompacted) {
  const auto runs = [](int deleted) {
    return run_graph_of(graph_settings(
        fmt::format("allocator = {{name = 'slab_walk', pool = 0.00390625}}\ngraph = {{lists = 'container', "
                    "vertices = 1, degree = 0, batches = 1, inserted = 28, deleted = {}}}",
                    deleted)));
  };
  constexpr std::size_t header = 16, of_28 = 3 * header + (4 + 8 + 16) * 4;
  EXPECT_EQ(runs(0).in_use, of_28);
  EXPECT_EQ(runs(0).compacted_in_use, std::nullopt);
  EXPECT_EQ(runs(12).in_use, of_28);
  EXPECT_EQ(runs(12).compacted_in_use, header + 16 * 4);
  EXPECT_EQ(runs(28).compacted_in_use, std::size_t{0});
}

/// Three pages of 512 bytes.
GraphSettings three_pages(const std::string& graph) {
  return graph_settings(fmt::format(
      "allocator = {{name = 'random_walk', page = 512, pool = {}}}\ngraph = {{batches = 1, degree = 0, {}}}\n"
      "run.verify = true",
      3 * 512 / 0x1p30, graph));
}

TEST(Graph, SaysForHowManyVerticesThereWasNoRoomToCompact) {
  if (Kokkos::DefaultExecutionSpace().concurrency() > 1)
    GTEST_SKIP() << "threads that miss a block at once need a page each for a moment";
  // The blocks of 4, 8 and 16 edges take all pages: there is none for one of 26.
  const GraphSettings settings = three_pages("lists = 'container', vertices = 1, inserted = 28, deleted = 2");
  const GraphRuns runs = run_graph_of(settings);
  EXPECT_EQ(runs.not_compacted, std::size_t{1});
  EXPECT_EQ(wrong_vertices(reference_rows(settings.edges), runs.rows), 0U);
}

TEST(Graph, OfArraysLeavesListsWhereThereIsNoRoomForShorterOnes) {
  const GraphSettings settings = three_pages("vertices = 3, inserted = 60, deleted = 57");
  EXPECT_EQ(wrong_vertices(reference_rows(settings.edges), run_graph_of(settings).rows), 0U);
}

TEST(Graph, OfArraysTakesNoMoreWhereNothingIsFreed) {
  const auto in_use = [](int deleted) {
    return run_graph_of(graph_settings(fmt::format(
                            "allocator = {{name = 'bump', pool = 0.00390625}}\ngraph = {{vertices "
                            "= 1, degree = 0, batches = 1, inserted = 64, deleted = {}}}",
                            deleted)))
        .in_use;
  };
  EXPECT_EQ(in_use(60), in_use(0));
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
  EXPECT_NE(graph_cause("graph = {inserted = 5, deleted = 6}").find("6 edges cannot go after a batch of 5"),
            std::string::npos);
  EXPECT_NE(graph_cause("graph.vertices = 0"), "");
  EXPECT_NE(graph_cause("allocator.name = 'block_header'").find("here each thread asks for itself"),
            std::string::npos);
}

}  // namespace
}  // namespace haloheap
