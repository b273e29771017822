// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The containers that all lanes use at once, in all orders of a few lanes' atomic operations.
#include <haloheap/allocators/containers/adjacency_list_handle.hpp>
#include <haloheap/allocators/containers/hash_map_handle.hpp>
#include <haloheap/unit/allocators/containers/host_heap.hpp>
#include <haloheap/unit/allocators/protocol_check.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace haloheap::containers {
namespace {

using namespace emulation;

struct OneChain {
  KOKKOS_FUNCTION std::uint32_t operator()(int) const { return 0; }
};

/// A map of one bucket, and what its lanes were told.
template <class Platform>
struct Mapped {
  using Handle = HashMapHandle<Platform, int, int, OneChain>;
  HostHeap heap;
  typename Handle::Bucket bucket = 0;
  int inserted = 0, erased = 0;

  Handle map() { return {&bucket, 1}; }
  void insert(int key, int value) {
    const auto result = map().insert(heap.handle(), key, value);
    inserted += result.inserted ? 1 : 0;
    if (result.value == nullptr) Fibers::running().fail("there was room");
  }
  void erase(int key) { erased += map().erase(key) ? 1 : 0; }
  int count(int key) {
    int found = 0;
    map().for_each_in(0, [&](int k, int) { found += k == key ? 1 : 0; });
    return found;
  }
  int nodes() {
    int number = 0;
    for (auto at = bucket; at != 0; at = reinterpret_cast<typename Handle::Node*>(at)->next) ++number;
    return number;
  }
  std::string verdict() {
    const bool lost = heap.live() != nodes();
    (void)map().purge(heap.handle(), 0, true);
    return lost ? "a node is lost" : heap.live() != 0 ? "a node was not freed" : "";
  }
};

template <class Platform>
Trial insert_the_same_key() {
  const auto state = std::make_shared<Mapped<Platform>>();
  return {{[=] { state->insert(1, 10); }, [=] { state->insert(1, 20); }, [=] { state->insert(2, 30); }},
          [=]() -> std::string {
            if (state->count(1) > 1) return "a key is there twice";
            if (state->count(1) + state->count(2) != 2) return "a key is lost";
            if (state->inserted != 2) return "the lanes were told otherwise";
            return state->verdict();
          }};
}

TEST(ContainerProtocols, of_a_map_insert_a_key_once) {
  expect_right(insert_the_same_key<EmulatedPlatform>, {.preemptions = 3});
  expect_caught("told otherwise", insert_the_same_key<WithAtomics<TornCompare>>);
}

template <class Platform>
Trial erase_the_same_key() {
  const auto state = std::make_shared<Mapped<Platform>>();
  state->insert(1, 10);
  return {{[=] { state->erase(1); }, [=] { state->erase(1); }, [=] { state->insert(1, 20); }},
          [=]() -> std::string {
            if (state->inserted - state->erased != state->count(1)) return "the lanes were told otherwise";
            return state->verdict();
          }};
}

TEST(ContainerProtocols, of_a_map_tell_one_lane_that_it_erased_a_key) {
  expect_right(erase_the_same_key<EmulatedPlatform>, {.preemptions = 4});
  expect_caught("told otherwise", erase_the_same_key<WithAtomics<TornOr>>);
}

template <class Platform>
Trial meet_entries_that_come_and_go() {
  const auto state = std::make_shared<Mapped<Platform>>();
  const auto met = std::make_shared<std::vector<int>>();
  for (const int key : {1, 2, 3}) state->insert(key, 10 * key);
  return {{[=] {
             for (const auto [key, value] : state->map()) met->push_back(value == 10 * key ? key : 0);
           },
           [=] { state->erase(2); }, [=] { state->insert(4, 40); }},
          [=]() -> std::string {
            const auto times = [&](int key) { return std::count(met->begin(), met->end(), key); };
            if (times(0) != 0) return "an entry was met half made";
            if (times(1) != 1 || times(3) != 1) return "entries that stay were not met once";
            if (times(2) > 1 || times(4) > 1) return "an entry was met twice";
            return state->verdict();
          }};
}

TEST(ContainerProtocols, of_a_map_are_met_by_iterators) {
  expect_right(meet_entries_that_come_and_go<EmulatedPlatform>, {.preemptions = 4});
}

/// A graph of one vertex.
template <class Platform>
struct Graph {
  using Handle = AdjacencyListHandle<Platform>;
  HostHeap heap;
  typename Handle::Row row{0, 0, 0};
  int erased = 0;

  Handle graph() { return {&row, 1}; }
  void insert(std::uint32_t to) {
    if (!graph().insert(heap.handle(), 0, to)) Fibers::running().fail("there was room");
  }
  void erase(std::uint32_t to) { erased += graph().erase(0, to) ? 1 : 0; }
  std::vector<std::uint32_t> edges() {
    std::vector<std::uint32_t> found;
    graph().for_each(0, [&](std::uint32_t to) { found.push_back(to); });
    std::sort(found.begin(), found.end());
    return found;
  }
  std::string verdict(const std::vector<std::uint32_t>& right) {
    const auto found = edges();
    const auto degree = graph().degree(0);
    const bool compacts = graph().compact(heap.handle(), 0) && edges() == found;
    graph().release(heap.handle(), 0);
    if (found != right) return "an edge is lost";
    if (degree != right.size()) return "the edges are miscounted";
    return !compacts ? "compacting changes the edges" : heap.live() != 0 ? "a block is lost" : "";
  }
};

template <class Platform>
Trial insert_many() {
  const auto state = std::make_shared<Graph<Platform>>();
  for (std::uint32_t to = 0; to < 3; ++to) state->insert(to);  // one place is left in the first block
  return {{[=] { state->insert(3); }, [=] { state->insert(4); }, [=] { state->insert(5); }}, [=] {
            return state->verdict({0, 1, 2, 3, 4, 5});
          }};
}

TEST(ContainerProtocols, of_a_graph_insert_all_edges) {
  expect_right(insert_many<EmulatedPlatform>, {.preemptions = 3});
  expect_caught("lost", insert_many<WithAtomics<TornAdd>>);
  expect_caught("lost", insert_many<WithAtomics<TornCompare>>);
}

template <class Platform>
Trial erase_the_same_edge() {
  const auto state = std::make_shared<Graph<Platform>>();
  state->insert(7);
  return {{[=] { state->erase(7); }, [=] { state->erase(7); }, [=] { state->insert(8); }},
          [=]() -> std::string {
            if (state->erased != 1) return "an edge was erased by several";
            return state->verdict({8});
          }};
}

template <class Platform>
Trial meet_edges_that_come_and_go() {
  const auto state = std::make_shared<Graph<Platform>>();
  const auto met = std::make_shared<std::vector<std::uint32_t>>();
  for (std::uint32_t to = 0; to < 4; ++to) state->insert(to);  // the first block is full
  return {{[=] {
             for (const std::uint32_t to : state->graph().neighbours(0)) {
               Fibers::running().step();  // the edge may go while the iterator stands on it
               met->push_back(to);
             }
           },
           [=] { state->erase(1); }, [=] { state->insert(4); }},
          [=]() -> std::string {
            const auto times = [&](std::uint32_t to) { return std::count(met->begin(), met->end(), to); };
            if (times(0) != 1 || times(2) != 1 || times(3) != 1) return "edges that stay were not met once";
            if (times(1) + times(4) + 3 != static_cast<std::ptrdiff_t>(met->size()))
              return "an edge to nowhere was met";
            if (times(1) > 1 || times(4) > 1) return "an edge was met twice";
            return state->verdict({0, 2, 3, 4});
          }};
}

TEST(ContainerProtocols, of_a_graph_are_met_by_iterators) {
  expect_right(meet_edges_that_come_and_go<EmulatedPlatform>, {.preemptions = 3});
}

TEST(ContainerProtocols, of_a_graph_erase_an_edge_once) {
  expect_right(erase_the_same_edge<EmulatedPlatform>, {.preemptions = 4});
  expect_caught("erased by several", erase_the_same_edge<WithAtomics<TornCompare>>);
}

}  // namespace
}  // namespace haloheap::containers
