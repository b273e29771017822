// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
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

/// Vertices in a row.
struct SourceRange {
  std::uint32_t first, count;

  bool contains(std::uint32_t vertex) const { return vertex >= first && vertex - first < count; }
};

/// Of a batch, by the generator of its edges: the first number says where the few ones are.
SourceRange sources_of(const GraphEdges& edges, lanes::LaneRandom& random) {
  const bool is_focused = edges.sources > 0 && edges.sources < edges.vertices;
  if (!is_focused) return {0, edges.vertices};
  return {random.below(edges.vertices - edges.sources + 1), edges.sources};
}

lanes::LaneRandom random_of_batch(const GraphEdges& edges, int number) {
  return lanes::LaneRandom(edges.seed, static_cast<unsigned>(number) + 1);
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
  lanes::LaneRandom random = random_of_batch(*this, number);
  const SourceRange from = sources_of(*this, random);
  for (Edge& edge : edges) edge = {from.first + random.below(from.count), random.below(vertices)};
  return edges;
}

std::vector<Edge> GraphEdges::take_deleted(int number, std::vector<Edge>& all) const {
  lanes::LaneRandom of_batch = random_of_batch(*this, number);
  const SourceRange from = sources_of(*this, of_batch);
  const auto end = std::stable_partition(all.begin(), all.end(),
                                         [&](const Edge& edge) { return from.contains(edge.from); });
  // Numbers of their own, beyond those of the batches.
  lanes::LaneRandom random = random_of_batch(*this, batches + number);
  auto begin = end;
  for (std::uint32_t i = 0; i < deleted; ++i, --begin)
    std::iter_swap(begin - 1, all.begin() + random.below(static_cast<std::uint32_t>(begin - all.begin())));
  std::vector<Edge> taken(begin, end);
  all.erase(begin, end);
  return taken;
}

GraphUpdates::GraphUpdates(const GraphEdges& edges) : initial(edges.initial()) {
  for (int i = 0; i < edges.batches; ++i) inserted.push_back(edges.batch(i));
  if (edges.deleted == 0) return;
  std::vector<Edge> all = initial;
  for (int i = 0; i < edges.batches; ++i) {
    const std::vector<Edge>& more = inserted[static_cast<std::size_t>(i)];
    all.insert(all.end(), more.begin(), more.end());
    deleted.push_back(edges.take_deleted(i, all));
  }
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

namespace {

void erase_one(std::vector<std::uint32_t>& list, std::uint32_t target) {
  const auto found = std::find(list.begin(), list.end(), target);
  if (found == list.end()) throw InternalError("an edge is to go that is not there");
  list.erase(found);
}

GraphRows side_by_side(const std::vector<std::vector<std::uint32_t>>& lists) {
  GraphRows rows;
  for (const auto& list : lists) {
    rows.begin.push_back(static_cast<std::uint32_t>(rows.targets.size()));
    rows.targets.insert(rows.targets.end(), list.begin(), list.end());
  }
  rows.begin.push_back(static_cast<std::uint32_t>(rows.targets.size()));
  return rows;
}

}  // namespace

GraphRows reference_rows(const GraphEdges& edges) {
  std::vector<std::vector<std::uint32_t>> lists(edges.vertices);
  const auto insert = [&lists](const std::vector<Edge>& more) {
    for (const Edge& edge : more) lists[edge.from].push_back(edge.to);
  };
  const auto erase = [&lists](const std::vector<Edge>& gone) {
    for (const Edge& edge : gone) erase_one(lists[edge.from], edge.to);
  };
  const GraphUpdates updates(edges);
  insert(updates.initial);
  for (std::size_t i = 0; i < updates.inserted.size(); ++i) {
    insert(updates.inserted[i]);
    if (edges.deleted > 0) erase(updates.deleted[i]);
  }
  return side_by_side(lists);
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
