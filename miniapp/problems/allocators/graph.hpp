// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_HPP

#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/problems/allocators/graph_edges.hpp>

namespace haloheap {

/// What a vertex' edges stand in (deck: graph.lists).
enum class GraphLists { arrays, container };

constexpr auto names_of(GraphLists) {
  return name_table<GraphLists>("lists",
                                {{GraphLists::arrays, "arrays"}, {GraphLists::container, "container"}});
}

/// What a deck says about problem graph.
struct GraphSettings {
  AllocatorSettings allocator;
  GraphEdges edges;
  GraphLists lists = GraphLists::arrays;
  int repetitions = 1, warm_ups = 0;
  bool verify = false;

  int runs() const { return warm_ups + repetitions; }
};

/// @throws UsageError with the place in the deck
GraphSettings read_graph(const deck::Deck& deck);

}  // namespace haloheap

#endif
