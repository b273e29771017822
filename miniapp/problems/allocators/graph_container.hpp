// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_CONTAINER_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_CONTAINER_HPP

#include <haloheap/allocators/containers/adjacency_list.hpp>
#include <haloheap/miniapp/problems/allocators/graph_batch.hpp>

namespace haloheap {

/// A thread for each edge, in the order in which they come: no vertex waits for another.
template <class Heap>
struct InsertEdges {
  Heap heap;
  containers::AdjacencyList::Handle graph;
  const Edge* edges;
  std::uint64_t* lost;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (!graph.insert(heap, edges[i].from, edges[i].to)) Kokkos::atomic_inc(lost);
  }
};

/// A thread for each edge that goes.
struct EraseEdges {
  containers::AdjacencyList::Handle graph;
  const Edge* edges;
  KOKKOS_FUNCTION void operator()(int i) const { graph.erase(edges[i].from, edges[i].to); }
};

/// The same graph by the library's container, which takes edges one by one and knows no degrees beforehand.
class GraphInContainer {
 public:
  using Exec = GraphBatch::Exec;
  static constexpr bool keeps_erased = true;  ///< memory of edges that went, until compact

  GraphInContainer(const Exec& exec, const std::shared_ptr<memory::MemoryResource>& memory,
                   std::uint32_t vertices)
      : graph_(exec, vertices, "haloheap::graph::rows", memory) {}

  /// What kernels read.
  struct Reader {
    containers::AdjacencyList::Handle graph;
    KOKKOS_FUNCTION std::uint32_t degree(std::uint32_t vertex) const { return graph.degree(vertex); }
    KOKKOS_FUNCTION void copy(std::uint32_t vertex, std::uint32_t* to) const {
      graph.for_each(vertex, [&to](std::uint32_t target) { *to++ = target; });
    }
  };
  Reader reader() const { return {graph_.handle()}; }

  template <class Heap>
  void add(const Exec& exec, const Heap& heap, const GraphBatch& batch, bool /*is_first*/,
           std::uint64_t* lost) {
    Kokkos::parallel_for("haloheap::graph::insert",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, batch.size()),
                         InsertEdges<Heap>{heap, graph_.handle(), batch.edges(), lost});
  }
  template <class Heap>
  void remove(const Exec& exec, const Heap& /*heap*/, const GraphBatch& batch, bool /*heap_frees*/) {
    Kokkos::parallel_for("haloheap::graph::erase",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, batch.size()),
                         EraseEdges{graph_.handle(), batch.edges()});
  }
  /// @returns the number of vertices for which there was no room
  template <class Heap>
  std::size_t compact(const Exec& exec, const Heap& heap) {
    return graph_.compact(exec, heap);
  }
  template <class Heap>
  void clear(const Exec& exec, const Heap& heap) {
    graph_.clear(exec, heap);
  }
  /// Without giving anything back.
  void forget(const Exec& exec) { graph_.forget(exec); }

 private:
  containers::AdjacencyList graph_;
};

}  // namespace haloheap

#endif
