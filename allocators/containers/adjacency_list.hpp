// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CONTAINERS_ADJACENCY_LIST_HPP
#define HALOHEAP_ALLOCATORS_CONTAINERS_ADJACENCY_LIST_HPP

#include <haloheap/allocators/containers/adjacency_list_handle.hpp>
#include <haloheap/allocators/heap_config.hpp>
#include <haloheap/core/memory/array.hpp>

#include <Kokkos_Core.hpp>

#include <memory>
#include <string>
#include <utility>

namespace haloheap::containers {

namespace detail {

template <class Graph>
struct CountEdges {
  Graph graph;
  KOKKOS_FUNCTION void operator()(std::uint32_t from, std::size_t& sum) const { sum += graph.degree(from); }
};
template <class Graph, class Heap>
struct CompactRows {
  Graph graph;
  Heap heap;
  KOKKOS_FUNCTION void operator()(std::uint32_t from, std::size_t& failed) const {
    failed += graph.compact(heap, from) ? 0 : 1;
  }
};
template <class Graph, class Heap>
struct ClearRows {
  Graph graph;
  Heap heap;
  KOKKOS_FUNCTION void operator()(std::uint32_t from) const { graph.release(heap, from); }
};

}  // namespace detail

/// A graph that changes in kernels: for each vertex the vertices to which its edges go, in blocks of a heap.
/// The host's side owns the rows; kernels hold handle(). The blocks are the heap's: clear() gives them back,
/// resetting the heap and then forget() does so at once.
class AdjacencyList {
 public:
  using Exec = allocators::HeapConfig::Exec;
  using Handle = AdjacencyListHandle<lanes::Platform>;
  using Vertex = Handle::Vertex;

  /// @param memory what the rows stand in, 16 bytes each; null: device memory
  /// @throws OutOfMemory
  AdjacencyList(const Exec& exec, Vertex vertices, std::string label = "adjacency_list",
                std::shared_ptr<memory::MemoryResource> memory = nullptr)
      : rows_(allocators::HeapConfig{.memory = std::move(memory)}.resource(), std::move(label), vertices) {
    forget(exec);
  }

  Handle handle() const { return {rows_.view().data(), static_cast<Vertex>(rows_.size())}; }

  /// Edges of all vertices, counted when all kernels of the instance are done.
  std::size_t size(const Exec& exec) const {
    std::size_t sum = 0;
    Kokkos::parallel_reduce("haloheap::containers::adjacency_list::size", policy(exec),
                            detail::CountEdges<Handle>{handle()}, sum);
    return sum;
  }

  /// Puts the edges of each vertex side by side, and gives back what is erased. No kernel may use the graph
  /// meanwhile. @returns the number of vertices for which there was no room, and which are as before
  template <allocators::DeviceHandle Heap>
  std::size_t compact(const Exec& exec, const Heap& heap) const {
    std::size_t failed = 0;
    Kokkos::parallel_reduce("haloheap::containers::adjacency_list::compact", policy(exec),
                            detail::CompactRows<Handle, Heap>{handle(), heap}, failed);
    return failed;
  }
  /// Gives all blocks back to the heap: no vertex has an edge.
  template <allocators::DeviceHandle Heap>
  void clear(const Exec& exec, const Heap& heap) const {
    Kokkos::parallel_for("haloheap::containers::adjacency_list::clear", policy(exec),
                         detail::ClearRows<Handle, Heap>{handle(), heap});
  }
  /// The same without giving anything back, for a heap that is reset as a whole.
  void forget(const Exec& exec) const { Kokkos::deep_copy(exec, rows_.view(), Handle::Row{0, 0, 0}); }

 private:
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<Vertex>>;

  Policy policy(const Exec& exec) const { return Policy(exec, 0, static_cast<Vertex>(rows_.size())); }

  memory::Array<Handle::Row> rows_;
};

}  // namespace haloheap::containers

#endif
