// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_ARRAYS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_ARRAYS_HPP

#include <haloheap/miniapp/problems/allocators/graph_batch.hpp>

namespace haloheap {

/// A vertex' edges in an array of a heap. One thread adds, or removes, all edges of a vertex that come or go
/// together.
struct EdgeArray {
  static constexpr std::uint32_t least_grown = 4;  ///< a block of 16 bytes

  std::uintptr_t
      block;  ///< as a number: nvcc 13.0 stops in an internal check where typed pointers reach heaps
  std::uint32_t count, capacity;

  KOKKOS_FUNCTION std::uint32_t* targets() const { return reinterpret_cast<std::uint32_t*>(block); }

  /// The edges move to a block with so many places. False where there is none, and then they are as before.
  template <class Heap>
  KOKKOS_FUNCTION bool move(const Heap& heap, std::uint32_t places) {
    void* const there = heap.allocate(places * sizeof(std::uint32_t));
    if (there == nullptr) return false;
    for (std::uint32_t i = 0; i < count; ++i) static_cast<std::uint32_t*>(there)[i] = targets()[i];
    heap.deallocate(reinterpret_cast<void*>(block));
    block = reinterpret_cast<std::uintptr_t>(there);
    capacity = places;
    return true;
  }

  /// The last edge takes the place of one to that vertex. False if there is none.
  KOKKOS_FUNCTION bool remove(std::uint32_t target) {
    for (std::uint32_t i = 0; i < count; ++i)
      if (targets()[i] == target) {
        targets()[i] = targets()[--count];
        return true;
      }
    return false;
  }

  /// Places for `needed` edges: the next power of two, so that a list that grows all the time moves seldom.
  KOKKOS_FUNCTION static std::uint32_t grown(std::uint32_t needed) {
    std::uint32_t places = least_grown;
    while (places < needed) places *= 2;
    return places;
  }
};

/// A thread for each vertex that gets edges: its list moves where it is full, and takes them.
template <class Heap>
struct AddToArrays {
  Heap heap;
  EdgeArray* lists;
  GraphBatch::Groups groups;
  bool are_exact;  ///< a list that moves gets just the places that it needs now
  std::uint64_t* lost;

  KOKKOS_FUNCTION void operator()(int group) const {
    const std::uint32_t first = groups.begin[group], more = groups.begin[group + 1] - first;
    EdgeArray list = lists[groups.sources[group]];
    const std::uint32_t needed = list.count + more;
    if (needed > list.capacity && !list.move(heap, are_exact ? needed : EdgeArray::grown(needed))) {
      Kokkos::atomic_add(lost, std::uint64_t{more});
      return;
    }
    for (std::uint32_t i = 0; i < more; ++i) list.targets()[list.count + i] = groups.targets[first + i];
    list.count = needed;
    lists[groups.sources[group]] = list;
  }
};

/// A thread for each vertex that loses edges: its list moves if a shorter one has room for those that are
/// left, and if there is one. Of a heap that frees nothing it would only take more.
template <class Heap>
struct RemoveFromArrays {
  Heap heap;
  EdgeArray* lists;
  GraphBatch::Groups groups;
  bool heap_frees;

  KOKKOS_FUNCTION void operator()(int group) const {
    EdgeArray list = lists[groups.sources[group]];
    for (std::uint32_t i = groups.begin[group]; i < groups.begin[group + 1]; ++i)
      list.remove(groups.targets[i]);
    const std::uint32_t places = EdgeArray::grown(list.count);
    if (heap_frees && places < list.capacity) (void)list.move(heap, places);
    lists[groups.sources[group]] = list;
  }
};

template <class Heap>
struct FreeArrays {
  Heap heap;
  EdgeArray* lists;
  KOKKOS_FUNCTION void operator()(std::uint32_t vertex) const {
    heap.deallocate(reinterpret_cast<void*>(lists[vertex].block));
    lists[vertex] = {0, 0, 0};
  }
};

/// A graph as [Winter2021] has it: arrays from the heap, allocated at their degree, and replaced when they
/// are full, or longer than their edges need.
class GraphOfArrays {
 public:
  using Exec = GraphBatch::Exec;
  static constexpr bool keeps_erased = false;

  GraphOfArrays(const Exec& exec, const std::shared_ptr<memory::MemoryResource>& memory,
                std::uint32_t vertices)
      : lists_(memory, "haloheap::graph::lists", vertices) {
    forget(exec);
  }

  /// What kernels read.
  struct Reader {
    const EdgeArray* lists;
    KOKKOS_FUNCTION std::uint32_t degree(std::uint32_t vertex) const { return lists[vertex].count; }
    KOKKOS_FUNCTION void copy(std::uint32_t vertex, std::uint32_t* to) const {
      for (std::uint32_t i = 0; i < lists[vertex].count; ++i) to[i] = lists[vertex].targets()[i];
    }
  };
  Reader reader() const { return {lists_.view().data()}; }

  /// @param is_first all lists are empty: each gets just the places that it needs
  template <class Heap>
  void add(const Exec& exec, const Heap& heap, const GraphBatch& batch, bool is_first, std::uint64_t* lost) {
    Kokkos::parallel_for("haloheap::graph::add_to_arrays",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, batch.groups().count),
                         AddToArrays<Heap>{heap, lists_.view().data(), batch.groups(), is_first, lost});
  }
  template <class Heap>
  void remove(const Exec& exec, const Heap& heap, const GraphBatch& batch, bool heap_frees) {
    Kokkos::parallel_for("haloheap::graph::remove_from_arrays",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, batch.groups().count),
                         RemoveFromArrays<Heap>{heap, lists_.view().data(), batch.groups(), heap_frees});
  }
  template <class Heap>
  void clear(const Exec& exec, const Heap& heap) {
    Kokkos::parallel_for("haloheap::graph::free_arrays",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint32_t>>(
                             exec, 0, static_cast<std::uint32_t>(lists_.size())),
                         FreeArrays<Heap>{heap, lists_.view().data()});
  }
  /// Without giving anything back.
  void forget(const Exec& exec) { Kokkos::deep_copy(exec, lists_.view(), EdgeArray{0, 0, 0}); }

 private:
  memory::Array<EdgeArray> lists_;
};

}  // namespace haloheap

#endif
