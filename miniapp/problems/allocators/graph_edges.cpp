// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/lanes/random.hpp>
#include <haloheap/miniapp/problems/allocators/graph_edges.hpp>

#include <algorithm>
#include <bit>

namespace haloheap {
namespace {

/// Of 2^32.
constexpr std::uint32_t percent(std::uint64_t p) {
  return static_cast<std::uint32_t>((p << 32) / 100);
}

/// One of four quarters of the matrix of all edges, and in there again, until one edge is left. What is
/// beyond the last vertex begins anew.
Edge rmat_edge(lanes::LaneRandom& random, std::uint32_t vertices) {
  Edge edge = {0, 0};
  for (auto level = static_cast<int>(std::bit_width(vertices - 1)); level > 0; --level) {
    const std::uint32_t where = random();
    edge.from = 2 * edge.from + (where >= percent(57 + 19) ? 1 : 0);
    edge.to =
        2 * edge.to + ((where >= percent(57) && where < percent(57 + 19)) || where >= percent(95) ? 1 : 0);
  }
  return {edge.from % vertices, edge.to % vertices};
}

}  // namespace

std::vector<Edge> GraphEdges::initial() const {
  std::vector<Edge> edges(static_cast<std::size_t>(initial_count()));
  lanes::LaneRandom random(seed, 0);
  for (Edge& edge : edges) {
    if (kind == GraphKind::rmat)
      edge = rmat_edge(random, vertices);
    else
      edge = {random.below(vertices), random.below(vertices)};
  }
  return edges;
}

std::vector<Edge> GraphEdges::batch(int number) const {
  std::vector<Edge> edges(inserted);
  lanes::LaneRandom random(seed, static_cast<unsigned>(number) + 1);
  const bool is_focused = sources > 0 && sources < vertices;
  const std::uint32_t first = is_focused ? random.below(vertices - sources + 1) : 0;
  const std::uint32_t among = is_focused ? sources : vertices;
  for (Edge& edge : edges) edge = {first + random.below(among), random.below(vertices)};
  return edges;
}

EdgeGroups::EdgeGroups(const std::vector<Edge>& edges) : targets(edges.size()) {
  std::vector<std::uint32_t> order(edges.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return edges[a].from < edges[b].from; });
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const Edge& edge = edges[order[i]];
    if (sources.empty() || sources.back() != edge.from) {
      sources.push_back(edge.from);
      begin.push_back(i);
    }
    targets[i] = edge.to;
  }
  begin.push_back(static_cast<std::uint32_t>(order.size()));
}

GraphRows reference_rows(const GraphEdges& edges) {
  std::vector<std::vector<std::uint32_t>> lists(edges.vertices);
  const auto insert = [&lists](const std::vector<Edge>& more) {
    for (const Edge& edge : more) lists[edge.from].push_back(edge.to);
  };
  insert(edges.initial());
  for (int i = 0; i < edges.batches; ++i) insert(edges.batch(i));
  GraphRows rows;
  for (const auto& list : lists) {
    rows.begin.push_back(static_cast<std::uint32_t>(rows.targets.size()));
    rows.targets.insert(rows.targets.end(), list.begin(), list.end());
  }
  rows.begin.push_back(static_cast<std::uint32_t>(rows.targets.size()));
  return rows;
}

std::size_t wrong_vertices(const GraphRows& reference, const GraphRows& rows) {
  const auto list = [](const GraphRows& of, std::size_t vertex) {
    std::vector<std::uint32_t> targets(of.targets.begin() + of.begin[vertex],
                                       of.targets.begin() + of.begin[vertex + 1]);
    std::sort(targets.begin(), targets.end());
    return targets;
  };
  std::size_t wrong = 0;
  for (std::size_t v = 0; v + 1 < reference.begin.size(); ++v)
    wrong += list(reference, v) == list(rows, v) ? 0 : 1;
  return wrong;
}

}  // namespace haloheap
