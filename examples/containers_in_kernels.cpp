// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Containers that grow in kernels: a graph gets its edges from all threads, each vertex sorts its neighbours,
// and a map counts how often each number of neighbours occurs.
#include <haloheap/allocators/containers/adjacency_list.hpp>
#include <haloheap/allocators/containers/hash_map.hpp>
#include <haloheap/allocators/containers/vector.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

using Exec = Kokkos::DefaultExecutionSpace;
using haloheap::allocators::SlabWalk;
using namespace haloheap::containers;
using Counts = HashMap<unsigned, unsigned>;

/// Edges between all numbers of which one divides the other, a thread for each divisor.
bool connect(const Exec& exec, const SlabWalk::Handle& heap, const AdjacencyList::Handle& graph) {
  int failed = 0;
  Kokkos::parallel_reduce(
      "connect", Kokkos::RangePolicy(exec, 1, static_cast<int>(graph.vertices())),
      KOKKOS_LAMBDA(int divisor, int& sum) {
        const auto from = static_cast<unsigned>(divisor);
        for (unsigned to = 2 * from; to < graph.vertices(); to += from)
          sum += graph.insert(heap, from, to) && graph.insert(heap, to, from) ? 0 : 1;
      },
      failed);
  return failed == 0;
}

/// The neighbours of each vertex in order, in memory of its thread, and how many they are.
void count(const Exec& exec, const SlabWalk::Handle& heap, const AdjacencyList::Handle& graph,
           const Counts::Handle& counts) {
  Kokkos::parallel_for(
      "count", Kokkos::RangePolicy(exec, 1, static_cast<int>(graph.vertices())), KOKKOS_LAMBDA(int vertex) {
        Vector<unsigned> sorted;
        for (const unsigned to : graph.neighbours(static_cast<unsigned>(vertex))) {
          unsigned at = sorted.size();
          while (at > 0 && sorted[at - 1] > to) --at;
          (void)sorted.insert(heap, at, to);
        }
        const auto entry = counts.insert(heap, sorted.size(), 0U);
        if (entry.value != nullptr) Kokkos::atomic_add(entry.value, 1U);
        sorted.release(heap);
      });
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const Exec exec;
  const SlabWalk heap(exec, {.bytes = std::size_t{64} << 20, .label = "graph"});
  const AdjacencyList graph(exec, 1000);
  const Counts counts(exec, 64);
  const bool connected = connect(exec, heap.handle(), graph.handle());
  count(exec, heap.handle(), graph.handle(), counts.handle());
  const std::size_t edges = graph.size(exec), different = counts.size(exec);
  std::printf("%zu edges, %zu different numbers of neighbours\n", edges, different);
  graph.clear(exec, heap.handle());
  counts.clear(exec, heap.handle());
  return connected && edges == 12108 && heap.statistics(exec).in_use == 0 ? 0 : 1;
}
