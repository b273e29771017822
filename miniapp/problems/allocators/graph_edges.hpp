// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_EDGES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_EDGES_HPP

#include <haloheap/core/base/names.hpp>

#include <cstdint>
#include <vector>

namespace haloheap {

struct Edge {
  std::uint32_t from, to;
  friend bool operator==(const Edge&, const Edge&) = default;
};

/// Which vertices have many edges (deck: graph.kind).
enum class GraphKind { uniform, rmat };

constexpr auto names_of(GraphKind) {
  return name_table<GraphKind>("kind", {{GraphKind::uniform, "uniform"}, {GraphKind::rmat, "rmat"}});
}

/// How the edges of a graph are made: those that it begins with, and batches of those that come and go. Two
/// may be alike. The same numbers give the same edges.
struct GraphEdges {
  std::uint32_t vertices = 1;
  std::uint32_t degree = 0;  ///< edges of a vertex at the beginning, on average
  GraphKind kind = GraphKind::uniform;
  int batches = 0;
  std::uint32_t inserted = 0;  ///< edges of a batch
  std::uint32_t deleted = 0;   ///< edges that go after each batch, no more than it has
  std::uint32_t sources = 0;   ///< vertices in a row whose edges a batch changes; 0: any of them
  std::uint32_t seed = 0;

  std::uint64_t initial_count() const { return std::uint64_t{vertices} * degree; }
  std::uint64_t inserted_count() const { return of_batches(inserted); }
  std::uint64_t deleted_count() const { return of_batches(deleted); }
  std::uint64_t made_count() const { return initial_count() + inserted_count(); }
  /// After the last batch.
  std::uint64_t count() const { return made_count() - deleted_count(); }

  /// uniform: both ends are any vertices. rmat: after [Chakrabarti2004], with the probabilities of Graph500
  /// (57, 19, 19 and 5 %): few vertices have many edges.
  std::vector<Edge> initial() const;
  /// Both ends are random. With few sources they begin at a random vertex, another one for each batch.
  std::vector<Edge> batch(int number) const;
  /// Takes the edges that go after a batch out of all that there are then, and returns them: any of those
  /// that begin where the batch's do. There are enough, since the batch has just come there.
  std::vector<Edge> take_deleted(int number, std::vector<Edge>& all) const;

  friend bool operator==(const GraphEdges&, const GraphEdges&) = default;

 private:
  std::uint64_t of_batches(std::uint32_t edges) const {
    return static_cast<std::uint64_t>(batches) * std::uint64_t{edges};
  }
};

/// All edges of a graph that come and go.
struct GraphUpdates {
  std::vector<Edge> initial;
  /// Of each batch, which inserts before it deletes; none are deleted where GraphEdges::deleted is 0.
  std::vector<std::vector<Edge>> inserted, deleted;

  explicit GraphUpdates(const GraphEdges& edges);
};

/// Edges by the vertex where they begin, which keep their order.
struct EdgeGroups {
  std::vector<std::uint32_t> sources;  ///< vertices with edges, in order
  std::vector<std::uint32_t> begin;    ///< of each the first edge, and where the last one's end
  std::vector<std::uint32_t> targets;

  explicit EdgeGroups(const std::vector<Edge>& edges);
};

/// A vertex' edges are neighbours, in any order: those of vertex v go to targets[begin[v]] up to
/// targets[begin[v + 1] - 1].
struct GraphRows {
  std::vector<std::uint32_t> begin, targets;
};

/// What the graph is after the last batch: edges come and go one by one, on the host.
GraphRows reference_rows(const GraphEdges& edges);

/// Vertices whose edges are not those of the reference, whatever their order.
std::size_t wrong_vertices(const GraphRows& reference, const GraphRows& rows);

}  // namespace haloheap

#endif
