// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// A program as it was written for another malloc, whose calls have no namespace.
#include <gtest/gtest.h>

#include <cstring>

#define HALOHEAP_REPLACE_MALLOC
#include <haloheap/heap.hpp>
#include <haloheap/unit/allocators/malloc/other_calls.hpp>

namespace {

constexpr int threads = 1000;

struct Node {
  Node* next;
  int value;
};

/// The sum of a list of n numbers, made and freed in a kernel.
KOKKOS_FUNCTION int sum_of_list(int n) {
  Node* first = nullptr;
  for (int i = 0; i < n; ++i) {
    auto* const node = static_cast<Node*>(malloc(sizeof(Node)));
    if (node == nullptr) return -1;
    *node = {first, i};
    first = node;
  }
  int sum = 0;
  while (first != nullptr) {
    sum += first->value;
    Node* const next = first->next;
    free(first);
    first = next;
  }
  return sum;
}

struct SumOfLists {
  KOKKOS_FUNCTION void operator()(int i, int& part) const { part += sum_of_list(i % 10); }
};
TEST(ReplacedMalloc, is_that_of_the_heap_in_kernels) {
  const haloheap::Heap heap({.bytes = 8 << 20});
  int sum = 0;
  Kokkos::parallel_reduce("haloheap::test::lists", threads, SumOfLists{}, sum);
  EXPECT_EQ(sum, threads / 10 * (0 + 0 + 1 + 3 + 6 + 10 + 15 + 21 + 28 + 36));
  EXPECT_GE(heap.statistics().high_water, sizeof(Node)) << "it was this heap";
  EXPECT_EQ(heap.statistics().in_use, 0U);
}

TEST(ReplacedMalloc, comes_with_calloc_realloc_and_aligned_alloc) {
  const haloheap::Heap heap({.bytes = 8 << 20});
  int wrong = 0;
  Kokkos::parallel_reduce("haloheap::test::others", threads, OtherCalls{}, wrong);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(heap.statistics().in_use, 0U);
}

struct NamesInTheNamespace {
  KOKKOS_FUNCTION void operator()(int, int& sum) const {
    void* const block = haloheap::realloc(haloheap::malloc(100), 1000);
    void* const cleared = haloheap::calloc(3, 4);
    void* const aligned = haloheap::aligned_alloc(64, 64);
    sum += block == nullptr || cleared == nullptr || aligned == nullptr ? 1 : 0;
    free(block);  // it is the same
    haloheap::free(cleared);
    haloheap::free(aligned);
  }
};
TEST(ReplacedMalloc, leaves_the_names_in_the_namespace) {
  const haloheap::Heap heap({.bytes = 8 << 20});
  int refused = 0;
  Kokkos::parallel_reduce("haloheap::test::names", threads, NamesInTheNamespace{}, refused);
  EXPECT_EQ(refused, 0);
  EXPECT_GE(heap.statistics().high_water, 1000U) << "it was this heap";
  EXPECT_EQ(heap.statistics().in_use, 0U);
}

struct Shape {
  KOKKOS_FUNCTION virtual int corners() const = 0;
  KOKKOS_FUNCTION virtual ~Shape() {}
};
struct Square final : Shape {
  KOKKOS_FUNCTION int corners() const override { return 4; }
};

struct NewAndDelete {
  KOKKOS_FUNCTION void operator()(int, int& sum) const {
    const Shape* const shape = new Square;
    int* const numbers = new int[100];
    numbers[99] = shape->corners();
    sum += numbers[99];
    delete[] numbers;
    delete shape;
  }
};
TEST(ReplacedMalloc, serves_new_and_delete_of_devices) {
  const haloheap::Heap heap({.bytes = 8 << 20});
  int corners = 0;
  Kokkos::parallel_reduce("haloheap::test::new", threads, NewAndDelete{}, corners);
  EXPECT_EQ(corners, 4 * threads);
  EXPECT_GE(heap.statistics().high_water, haloheap::backend::kernels_on_host ? 0U : 400U);
  EXPECT_EQ(heap.statistics().in_use, 0U);
}

TEST(ReplacedMalloc, of_the_host_takes_back_what_the_c_library_gave) {
  void* const early = malloc(100);  // there is no heap
  ASSERT_NE(early, nullptr);
  std::memset(early, 1, 100);
  {
    const haloheap::Heap heap({.bytes = 1 << 20});
    void* const grown = realloc(early, 10'000);
    ASSERT_NE(grown, nullptr);
    EXPECT_EQ(static_cast<char*>(grown)[99], 1);
    free(grown);
    free(strdup("from the library"));
    void* const late = malloc(100);
    EXPECT_EQ(heap.statistics().in_use, haloheap::backend::kernels_on_host ? 112U : 0U);
    free(late);
    EXPECT_EQ(heap.statistics().in_use, 0U);
  }
  free(malloc(100));
}

TEST(ReplacedMalloc, of_the_host_gives_blocks_back_to_the_heap_they_came_from) {
  if (!haloheap::backend::kernels_on_host) GTEST_SKIP() << "blocks are a device's";
  const haloheap::Heap outer({.bytes = 1 << 20});
  void* const first = malloc(100);
  void* const second = malloc(100);
  {
    const haloheap::Heap inner({.bytes = 1 << 20});
    free(first);
    void* const moved = realloc(second, 300);
    EXPECT_EQ(inner.statistics().in_use, 0U);
    EXPECT_EQ(outer.statistics().in_use, 304U);
    free(moved);
  }
  EXPECT_EQ(outer.statistics().in_use, 0U);
}

TEST(ReplacedMalloc, works_with_the_smallest_heap) {
  const haloheap::Heap heap({.bytes = 1 << 16});  // its metadata is larger
  int sum = 0;
  Kokkos::parallel_reduce("haloheap::test::lists", 10, SumOfLists{}, sum);
  EXPECT_EQ(sum, 0 + 0 + 1 + 3 + 6 + 10 + 15 + 21 + 28 + 36);
  EXPECT_EQ(heap.statistics().in_use, 0U);
}

}  // namespace
