// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// A heap without a pool in place of a program's malloc. On a host it is the C library's, as blocks of the
// host are.
#include <gtest/gtest.h>

#include <cstring>

#define HALOHEAP_REPLACE_MALLOC
#define HALOHEAP_HEAP Native
#include <haloheap/heap.hpp>
#include <haloheap/unit/allocators/malloc/other_calls.hpp>

namespace {

struct AllCalls {
  KOKKOS_FUNCTION void operator()(int i, int& sum) const {
    OtherCalls{}(i, sum);
    haloheap::free(malloc(8));
  }
};
TEST(ReplacedMalloc, over_the_hosts_own_takes_blocks_of_either) {
  const haloheap::Heap heap({.bytes = 1 << 20});
  int wrong = 0;
  Kokkos::parallel_reduce("haloheap::test::native", 1000, AllCalls{}, wrong);
  EXPECT_EQ(wrong, 0);
  free(strdup("from the library"));
  void* const block = malloc(100);
  std::memset(block, 1, 100);
  free(realloc(block, 10'000));
  EXPECT_EQ(heap.statistics().in_use, 0U);
}

}  // namespace
