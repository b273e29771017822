// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What is done wrong with haloheap::malloc is found where a program is compiled with HALOHEAP_CHECK_HEAP.
#define HALOHEAP_CHECK_HEAP
#define HALOHEAP_HEAP WarpHeader
#include <haloheap/heap.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

using allocators::HeapFault;

std::vector<HeapFault> faults(const Heap& heap) {
  std::vector<HeapFault> kinds;
  for (const auto& error : heap.allocator().errors(Kokkos::DefaultExecutionSpace()))
    kinds.push_back(error.kind);
  return kinds;
}

TEST(CheckedMalloc, finds_nothing_where_nothing_is_wrong) {
  const Heap heap({.bytes = 8 << 20});
  Kokkos::parallel_for(
      "haloheap::test::right", 1000, KOKKOS_LAMBDA(int i) {
        void* const block = haloheap::realloc(haloheap::malloc(static_cast<std::size_t>(i)), 300);
        haloheap::free(block);
      });
  EXPECT_EQ(faults(heap), std::vector<HeapFault>{});
  EXPECT_TRUE(heap.allocator().leaks(Kokkos::DefaultExecutionSpace()).empty());
}

TEST(CheckedMalloc, finds_writes_behind_a_block) {
  const Heap heap({.bytes = 8 << 20});
  Kokkos::parallel_for(
      "haloheap::test::overrun", 1, KOKKOS_LAMBDA(int) {
        auto* const block = static_cast<char*>(haloheap::malloc(20));
        block[20] = 1;
        haloheap::free(block);
      });
  EXPECT_EQ(faults(heap), std::vector<HeapFault>{HeapFault::overrun});
}

TEST(CheckedMalloc, finds_leaks) {
  const Heap heap({.bytes = 8 << 20});
  Kokkos::parallel_for(
      "haloheap::test::leak", 3, KOKKOS_LAMBDA(int) { (void)haloheap::malloc(20); });
  EXPECT_EQ(heap.allocator().leaks(Kokkos::DefaultExecutionSpace()).size(), 3U);
}

}  // namespace
}  // namespace haloheap
