// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Containers in kernels, over every heap that any lane may call; on devices, whose compiler takes long, over
// one of each kind.
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/containers/adjacency_list.hpp>
#include <haloheap/allocators/containers/hash_map.hpp>
#include <haloheap/allocators/containers/open_map.hpp>
#include <haloheap/allocators/containers/string.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/unit/allocators/allocator_fixture.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::containers {
namespace {

using namespace allocators;

constexpr unsigned threads = 2000;

/// A heap by calls: containers have many, and devices' compilers take long where each is in line.
template <class Handle>
struct NotInLine {
  Handle heap;
  HALOHEAP_NOINLINE KOKKOS_FUNCTION void* allocate(std::size_t bytes) const { return heap.allocate(bytes); }
  HALOHEAP_NOINLINE KOKKOS_FUNCTION void deallocate(void* block) const { heap.deallocate(block); }
};

template <class A>
class ContainersOver : public AllocatorFixture<A> {
 protected:
  using typename AllocatorFixture<A>::Handle, typename AllocatorFixture<A>::Policy;
  using AllocatorFixture<A>::config, AllocatorFixture<A>::exec_;

  template <class Thread>
  unsigned wrong(const A& heap, const Thread& thread) {
    return sum(Count<Thread>{{heap.handle()}, thread});
  }
  template <class Kernel>
  unsigned sum(const Kernel& kernel) {
    unsigned result = 0;
    Kokkos::parallel_reduce("haloheap::test::containers", Policy(exec_, 0, threads), kernel, result);
    return result;
  }
  /// What was allocated is free again, where the heap frees at all and knows.
  void expect_empty(const A& heap) {
    EXPECT_TRUE(!A::promises(config()).frees || heap.statistics(exec_).in_use == 0);
  }

 public:  // kernels of devices have no private names
  template <class Thread>
  struct Count {
    NotInLine<Handle> heap;
    Thread thread;
    KOKKOS_FUNCTION void operator()(unsigned i, unsigned& sum) const { sum += thread(heap, i) ? 0 : 1; }
  };
};
using Heaps =
    std::conditional_t<on_host, DeviceAllocators, AllocatorTypes<Native, WarpHeader, RandomWalk, SlabWalk>>;
TYPED_TEST_SUITE(ContainersOver, typename AsTypes<Heaps>::type, Names);

// Small ones: some heaps give 256 bytes at most.

struct GrowAVector {
  template <class Heap>
  KOKKOS_FUNCTION bool operator()(const Heap& heap, unsigned i) const {
    Vector<unsigned> vector;
    const unsigned n = i % 40;
    for (unsigned k = 0; k < n; ++k)
      if (!vector.push_back(heap, i + k)) return false;
    bool right = vector.size() == n && vector.view().extent(0) == n;
    for (unsigned k = 0; k < n; ++k) right = right && vector[k] == i + k && vector.view()(k) == i + k;
    for (unsigned k = 0; k < n / 2; ++k) vector.erase(k);  // those with even numbers
    for (unsigned k = 0; k < vector.size() && k < n / 2; ++k) right = right && vector[k] == i + 2 * k + 1;
    vector.release(heap);
    return right;
  }
};
TYPED_TEST(ContainersOver, any_heap_are_vectors) {
  const TypeParam heap(this->exec_, this->config());
  EXPECT_EQ(this->wrong(heap, GrowAVector{}), 0U);
  this->expect_empty(heap);
}

struct Spell {
  template <class Heap>
  KOKKOS_FUNCTION bool operator()(const Heap& heap, unsigned i) const {
    String text, again;
    for (unsigned k = 0; k <= i % 7; ++k)
      if (!text.append(heap, "thread ") || !text.append(heap, static_cast<long long>(i))) return false;
    const String::size_type once = text.size() / (i % 7 + 1);
    for (unsigned k = 0; k <= i % 7; ++k)
      if (!again.append(heap, text.c_str(), once)) return false;
    const bool right = text == again && text.c_str()[text.size()] == '\0';
    text.release(heap);
    again.release(heap);
    return right;
  }
};
TYPED_TEST(ContainersOver, any_heap_are_strings) {
  const TypeParam heap(this->exec_, this->config());
  EXPECT_EQ(this->wrong(heap, Spell{}), 0U);
  this->expect_empty(heap);
}

struct CountDigits {
  template <class Heap>
  KOKKOS_FUNCTION bool operator()(const Heap& heap, unsigned i) const {
    OpenMap<int, int> counts;
    for (unsigned rest = i * 7919; rest != 0; rest /= 10) {
      const auto entry = counts.insert(heap, static_cast<int>(rest % 10), 0);
      if (entry.value == nullptr) return false;
      ++*entry.value;
    }
    int digits = 0, in_slots = 0, right = 0;
    for (const auto& entry : counts) digits += entry.value;
    const auto slots = counts.view();
    for (std::size_t k = 0; k < slots.extent(0); ++k) in_slots += slots(k).used ? slots(k).entry.value : 0;
    for (unsigned rest = i * 7919; rest != 0; rest /= 10) ++right;
    counts.release(heap);
    return digits == right && in_slots == right;
  }
};
TYPED_TEST(ContainersOver, any_heap_are_open_maps) {
  const TypeParam heap(this->exec_, this->config());
  EXPECT_EQ(this->wrong(heap, CountDigits{}), 0U);
  this->expect_empty(heap);
}

constexpr unsigned keys = 300;
using Map = HashMap<unsigned, unsigned>;

template <class Heap>
struct CountKeys {  // inserted now
  Heap heap;
  Map::Handle map;
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& sum) const {
    const auto entry = map.insert(heap, i % keys, 0U);
    if (entry.value == nullptr) return;
    Kokkos::atomic_add(entry.value, 1U);
    sum += entry.inserted ? 1 : 0;
  }
};
struct EraseEven {
  Map::Handle map;
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& sum) const {
    if (i % keys % 2 == 0) sum += map.erase(i % keys) ? 1 : 0;
  }
};
struct WrongCounts {
  Map::Handle map;
  bool without_even;
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& sum) const {
    if (i >= keys) return;
    const unsigned* const count = map.find(i);
    const bool gone = without_even && i % 2 == 0;
    sum +=
        gone != (count == nullptr) || (count != nullptr && *count != (threads - i + keys - 1) / keys) ? 1 : 0;
  }
};

/// All counts, as a thread for each bucket sees them.
struct SumOfBuckets {
  Map::Handle map;
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& sum) const {
    if (i >= map.bucket_count()) return;
    for (const auto [key, count] : map.bucket(i)) sum += key % 2 == 0 ? keys * count : count;
  }
};
/// The same, as one thread sees them.
struct SumOfMap {
  Map::Handle map;
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& sum) const {
    if (i != threads / 2) return;
    for (const auto [key, count] : map) sum += key % 2 == 0 ? keys * count : count;
  }
};

TYPED_TEST(ContainersOver, any_heap_are_hash_maps_for_all_lanes) {
  const TypeParam heap(this->exec_, this->config());
  for (const std::size_t buckets : {1, 100, 512}) {
    const Map map(this->exec_, buckets);
    EXPECT_EQ(this->sum(CountKeys<typename TypeParam::Handle>{heap.handle(), map.handle()}), keys);
    EXPECT_EQ(this->sum(WrongCounts{map.handle(), false}), 0U);
    EXPECT_EQ(this->sum(EraseEven{map.handle()}), keys / 2);
    EXPECT_EQ(this->sum(WrongCounts{map.handle(), true}), 0U);
    EXPECT_EQ(map.size(this->exec_), keys / 2);
    EXPECT_EQ(this->sum(SumOfBuckets{map.handle()}), threads / 2);
    EXPECT_EQ(this->sum(SumOfMap{map.handle()}), threads / 2);
    EXPECT_EQ(map.purge(this->exec_, heap.handle()), keys / 2);
    EXPECT_EQ(this->sum(WrongCounts{map.handle(), true}), 0U);
    EXPECT_EQ(this->sum(CountKeys<typename TypeParam::Handle>{heap.handle(), map.handle()}), keys / 2)
        << "erased keys come back";
    EXPECT_EQ(map.size(this->exec_), keys);
    map.clear(this->exec_, heap.handle());
    EXPECT_EQ(map.size(this->exec_), 0U);
    this->expect_empty(heap);
  }
}

constexpr unsigned vertices = 100;  // each gets 20 edges: 80 bytes
using Vertex = AdjacencyList::Vertex;

template <class Heap>
struct AddEdges {
  Heap heap;
  AdjacencyList::Handle graph;
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& sum) const {
    sum += graph.insert(heap, i % vertices, i / vertices) ? 1 : 0;
  }
};
struct RemoveEdges {
  AdjacencyList::Handle graph;
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& sum) const {
    if (i / vertices % 3 == 0) sum += graph.erase(i % vertices, i / vertices) ? 1 : 0;
  }
};
struct WrongRows {
  AdjacencyList::Handle graph;
  bool thinned, compacted;
  KOKKOS_FUNCTION void operator()(unsigned from, unsigned& sum) const {
    if (from >= vertices) return;
    unsigned seen = 0, met = 0, all = 0;
    graph.for_each(from, [&seen](Vertex to) { seen |= 1U << to; });
    for (const Vertex to : graph.neighbours(from)) met |= 1U << to;
    for (Vertex to = 0; to < threads / vertices; ++to) {
      all |= thinned && to % 3 == 0 ? 0 : 1U << to;
      if (graph.contains(from, to) != ((all >> to & 1) != 0)) ++sum;
    }
    const auto view = graph.view(from);
    if (seen != all || met != all || (compacted && view.extent(0) != graph.degree(from))) ++sum;
    for (std::size_t i = 0; i < view.extent(0); ++i)
      if ((all >> view(i) & 1) == 0) ++sum;
  }
};

TYPED_TEST(ContainersOver, any_heap_are_graphs_that_change) {
  const TypeParam heap(this->exec_, this->config());
  const AdjacencyList graph(this->exec_, vertices);
  EXPECT_EQ(this->sum(WrongRows{graph.handle(), false, false}), vertices * (threads / vertices + 1))
      << "empty";
  EXPECT_EQ(this->sum(AddEdges<typename TypeParam::Handle>{heap.handle(), graph.handle()}), threads);
  EXPECT_EQ(graph.size(this->exec_), threads);
  EXPECT_EQ(this->sum(WrongRows{graph.handle(), false, false}), 0U);
  EXPECT_EQ(this->sum(RemoveEdges{graph.handle()}), vertices * 7);
  EXPECT_EQ(this->sum(RemoveEdges{graph.handle()}), 0U) << "they are gone";
  EXPECT_EQ(this->sum(WrongRows{graph.handle(), true, false}), 0U);
  EXPECT_EQ(graph.compact(this->exec_, heap.handle()), 0U);
  EXPECT_EQ(this->sum(WrongRows{graph.handle(), true, true}), 0U);
  EXPECT_EQ(graph.size(this->exec_), vertices * 13);
  EXPECT_EQ(this->sum(AddEdges<typename TypeParam::Handle>{heap.handle(), graph.handle()}), threads)
      << "behind what was compacted";
  EXPECT_EQ(graph.size(this->exec_), vertices * 33);
  graph.clear(this->exec_, heap.handle());
  EXPECT_EQ(graph.size(this->exec_), 0U);
  this->expect_empty(heap);
}

TYPED_TEST(ContainersOver, full_heaps_say_so_and_lose_nothing) {
  const auto config = this->config(std::size_t{1} << 16);
  if (!TypeParam::promises(config).resets) GTEST_SKIP() << "does not keep to its size";
  const TypeParam heap(this->exec_, config);
  const AdjacencyList graph(this->exec_, vertices);
  unsigned edges = 0, added = 0;
  for (int round = 0; round < 10; ++round) {
    added = this->sum(AddEdges<typename TypeParam::Handle>{heap.handle(), graph.handle()});
    edges += added;
  }
  EXPECT_LT(added, threads);
  EXPECT_GT(edges, 0U);
  EXPECT_EQ(graph.size(this->exec_), edges);
  graph.forget(this->exec_);
  EXPECT_EQ(graph.size(this->exec_), 0U);
}

}  // namespace
}  // namespace haloheap::containers
