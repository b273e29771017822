// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// One vertex of a graph that changes, on the host: what its edges cost, whatever was refused or erased
// before.
#include <haloheap/allocators/containers/adjacency_list_handle.hpp>
#include <haloheap/unit/allocators/containers/host_heap.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <ranges>
#include <vector>

namespace haloheap::containers {
namespace {

using Graph = AdjacencyListHandle<lanes::Platform>;
using Edges = std::vector<Graph::Vertex>;

Edges edges_of(const Graph& graph) {
  Edges edges;
  graph.for_each(0, [&edges](Graph::Vertex to) { edges.push_back(to); });
  return edges;
}

TEST(AdjacencyList, has_the_edges_that_were_inserted_and_not_erased) {
  std::minstd_rand random(1);
  for (int round = 0; round < 100; ++round) {
    HostHeap host(round % 4);
    Graph::Row row{0, 0, 0};
    const Graph graph(&row, 1);
    Edges right;
    for (int step = 0; step < 200; ++step) {
      const auto to = static_cast<Graph::Vertex>(random() % 20);
      const unsigned what = random() % 16;
      if (what < 9) {
        if (graph.insert(host.handle(), 0, to)) right.push_back(to);
      } else if (what < 15) {
        const auto there = std::find(right.begin(), right.end(), to);
        EXPECT_EQ(graph.erase(0, to), there != right.end());
        if (there != right.end()) right.erase(there);
      } else if (graph.compact(host.handle(), 0)) {
        EXPECT_EQ(graph.view(0).extent(0), right.size());
        EXPECT_EQ(host.live(), right.empty() ? 0 : 1);
      }
      Edges found = edges_of(graph);
      ASSERT_TRUE(std::ranges::equal(graph.neighbours(0), found)) << "round " << round << ", step " << step;
      std::sort(found.begin(), found.end());
      std::sort(right.begin(), right.end());
      ASSERT_EQ(found, right) << "round " << round << ", step " << step;
      ASSERT_EQ(graph.degree(0), right.size());
    }
    graph.release(host.handle(), 0);
    EXPECT_EQ(host.live(), 0);
  }
}

TEST(AdjacencyList, takes_no_places_for_edges_that_are_refused) {
  HostHeap full(1), host;
  Graph::Row row{0, 0, 0};
  const Graph graph(&row, 1);
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(graph.insert(full.handle(), 0, 1));
  EXPECT_EQ(graph.degree(0), 0U);
  ASSERT_TRUE(graph.insert(host.handle(), 0, 1));
  EXPECT_EQ(host.live(), 1);
  EXPECT_EQ(edges_of(graph), Edges{1});
  graph.release(host.handle(), 0);
}

static_assert(std::forward_iterator<Graph::iterator> && std::ranges::forward_range<Range<Graph::iterator>>);

TEST(AdjacencyList, lets_iterators_go_on_from_what_is_erased) {
  HostHeap host;
  Graph::Row row{0, 0, 0};
  const Graph graph(&row, 1);
  EXPECT_TRUE(graph.neighbours(0).begin() == graph.neighbours(0).end());
  for (Graph::Vertex to = 0; to < 20; ++to) ASSERT_TRUE(graph.insert(host.handle(), 0, to));
  Graph::Vertex next = 0;
  const auto range = graph.neighbours(0);
  for (auto at = range.begin(); at != range.end(); next += 2) {
    const Graph::Vertex to = *at;
    EXPECT_EQ(to, next) << "nobody else is there: edges come in the order in which they were inserted";
    EXPECT_TRUE(graph.erase(0, to) && graph.erase(0, to + 1));
    EXPECT_EQ(*at, to);
    EXPECT_EQ(*at++, to);
  }
  EXPECT_EQ(next, 20U);
  graph.release(host.handle(), 0);
}

TEST(AdjacencyList, closes_up_without_any_memory) {
  HostHeap host, full(1);
  Graph::Row row{0, 0, 0};
  const Graph graph(&row, 1);
  for (Graph::Vertex to = 0; to < 1000; ++to) ASSERT_TRUE(graph.insert(host.handle(), 0, to));
  for (Graph::Vertex to = 0; to < 1000; ++to) EXPECT_EQ(graph.erase(0, to), true);
  for (Graph::Vertex to = 0; to < 3; ++to) ASSERT_TRUE(graph.insert(host.handle(), 0, to));
  const int before = host.live();

  struct FullButFrees {  // the memory is the other's
    HostHeap::Handle refuses, frees;
    void* allocate(std::size_t bytes) const { return refuses.allocate(bytes); }
    void deallocate(void* block) const { frees.deallocate(block); }
  };
  EXPECT_FALSE(graph.compact(FullButFrees{full.handle(), host.handle()}, 0))
      << "no room for one block of 12 bytes";
  EXPECT_EQ(host.live(), 1) << "of " << before;
  EXPECT_EQ(edges_of(graph), (Edges{0, 1, 2}));
  EXPECT_TRUE(graph.compact(host.handle(), 0));
  EXPECT_EQ(graph.view(0).extent(0), 3U);
  const int requests = host.requests();
  EXPECT_TRUE(graph.compact(host.handle(), 0));
  EXPECT_EQ(host.requests(), requests) << "it is compact";
  graph.release(host.handle(), 0);
}

TEST(AdjacencyList, has_no_edge_to_nowhere) {
  HostHeap host;
  Graph::Row row{0, 0, 0};
  const Graph graph(&row, 1);
  EXPECT_FALSE(graph.insert(host.handle(), 0, Graph::none));
  EXPECT_EQ(graph.degree(0), 0U);
  EXPECT_EQ(host.live(), 0);
  ASSERT_TRUE(graph.insert(host.handle(), 0, 1) && graph.insert(host.handle(), 0, 2) && graph.erase(0, 1));
  EXPECT_FALSE(graph.contains(0, Graph::none)) << "there is an empty place";
  EXPECT_FALSE(graph.erase(0, Graph::none));
  EXPECT_EQ(graph.degree(0), 1U);
  graph.release(host.handle(), 0);
}

}  // namespace
}  // namespace haloheap::containers
