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

struct RightUse {
  KOKKOS_FUNCTION void operator()(int i) const {
    void* const block = haloheap::realloc(haloheap::malloc(static_cast<std::size_t>(i)), 300);
    haloheap::free(block);
  }
};
TEST(CheckedMalloc, finds_nothing_where_nothing_is_wrong) {
  const Heap heap({.bytes = 8 << 20});
  Kokkos::parallel_for("haloheap::test::right", 1000, RightUse{});
  EXPECT_EQ(faults(heap), std::vector<HeapFault>{});
  EXPECT_TRUE(heap.allocator().leaks(Kokkos::DefaultExecutionSpace()).empty());
}

struct WriteBehind {
  KOKKOS_FUNCTION void operator()(int) const {
    auto* const block = static_cast<char*>(haloheap::malloc(20));
    block[20] = 1;
    haloheap::free(block);
  }
};
TEST(CheckedMalloc, finds_writes_behind_a_block) {
  const Heap heap({.bytes = 8 << 20});
  Kokkos::parallel_for("haloheap::test::overrun", 1, WriteBehind{});
  const auto errors = heap.allocator().errors(Kokkos::DefaultExecutionSpace());
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors.front().kind, HeapFault::overrun);
  EXPECT_EQ(errors.front().call.line, errors.front().allocation.line + 2);
  const std::string text = to_string(errors.front());
  EXPECT_NE(text.find(" (20 bytes), allocated in operator() ("), std::string::npos) << text;
  EXPECT_NE(text.find("), found in operator() ("), std::string::npos) << text;
}

struct Misuse {
  KOKKOS_FUNCTION void operator()(int) const {
    void* const block = haloheap::malloc(24);
    haloheap::free(block);
    haloheap::free(block);
  }
};
constexpr unsigned line_of_second_free = __LINE__ - 3;

TEST(CheckedMalloc, says_which_line_was_wrong) {
  const Heap heap({.bytes = 8 << 20});
  Kokkos::parallel_for("haloheap::test::misuse", 1, Misuse{});
  const auto errors = heap.allocator().errors(Kokkos::DefaultExecutionSpace());
  ASSERT_EQ(errors.size(), 1U);
  const std::string text = to_string(errors.front());
  EXPECT_NE(text.find(" in operator() ("), std::string::npos) << text;
  EXPECT_NE(text.find("unit/allocators/malloc/checked_test.cpp:"), std::string::npos) << text;
  EXPECT_EQ(errors.front().kind, HeapFault::double_free);
  EXPECT_EQ(errors.front().call.line, line_of_second_free);
}

struct FreeOthers {
  KOKKOS_FUNCTION void operator()(int) const {
    int local = 0;
    haloheap::free(&local);
    auto* const block = static_cast<char*>(haloheap::malloc(100));
    haloheap::free(block + 16);
    haloheap::free(haloheap::realloc(block + 16, 50));  // what was not there cannot be moved: a new block
    haloheap::free(block);
  }
};
TEST(CheckedMalloc, finds_pointers_that_are_no_blocks) {
  const Heap heap({.bytes = 8 << 20});
  Kokkos::parallel_for("haloheap::test::foreign", 1, FreeOthers{});
  EXPECT_EQ(faults(heap), (std::vector<HeapFault>(3, HeapFault::foreign)));
}

struct WriteBehindAligned {
  KOKKOS_FUNCTION void operator()(int i) const {
    auto* const block = static_cast<char*>(haloheap::aligned_alloc(128, 40));
    if (reinterpret_cast<std::uintptr_t>(block) % 128 != 0) Kokkos::abort("haloheap::test: alignment");
    if (i == 7) block[40] = 1;
    haloheap::free(block);
  }
};
TEST(CheckedMalloc, guards_blocks_with_an_alignment_too) {
  const Heap heap({.bytes = 8 << 20});
  Kokkos::parallel_for("haloheap::test::aligned", 100, WriteBehindAligned{});
  EXPECT_EQ(faults(heap), std::vector<HeapFault>{HeapFault::overrun});
  EXPECT_TRUE(heap.allocator().leaks(Kokkos::DefaultExecutionSpace()).empty());
}

struct WriteBehindNewEnd {
  KOKKOS_FUNCTION void operator()(int) const {
    auto* const block = static_cast<char*>(haloheap::realloc(haloheap::malloc(100), 80));
    block[80] = 1;
    haloheap::free(block);
  }
};
TEST(CheckedMalloc, guards_the_end_of_a_block_that_has_become_smaller) {
  const Heap heap({.bytes = 8 << 20});
  Kokkos::parallel_for("haloheap::test::smaller", 1, WriteBehindNewEnd{});
  EXPECT_EQ(faults(heap), std::vector<HeapFault>{HeapFault::overrun});
}

struct Leak {
  KOKKOS_FUNCTION void operator()(int) const { (void)haloheap::malloc(20); }
};
constexpr unsigned line_of_leak = __LINE__ - 2;

TEST(CheckedMalloc, finds_leaks) {
  const Heap heap({.bytes = 8 << 20});
  Kokkos::parallel_for("haloheap::test::leak", 3, Leak{});
  const auto leaks = heap.allocator().leaks(Kokkos::DefaultExecutionSpace());
  ASSERT_EQ(leaks.size(), 3U);
  const std::string text = to_string(leaks.front());
  EXPECT_NE(text.find("), allocated in "), std::string::npos) << text;
  EXPECT_EQ(leaks.front().allocation.line, line_of_leak) << text;
}

}  // namespace
}  // namespace haloheap
