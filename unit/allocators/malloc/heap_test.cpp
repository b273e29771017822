// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// haloheap::malloc and its like by name: which heap they go to.
#include <haloheap/core/base/error.hpp>
#include <haloheap/heap.hpp>
#include <haloheap/unit/allocators/malloc/other_file.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace haloheap {
namespace {

constexpr int threads = 2000;

/// A block of so many bytes for each thread.
TestedBlocks blocks_of(std::size_t bytes) {
  const TestedBlocks blocks("haloheap::test::blocks", threads);
  Kokkos::parallel_for(
      "haloheap::test::malloc", threads, KOKKOS_LAMBDA(int i) { blocks(i).data = haloheap::malloc(bytes); });
  return blocks;
}

int served(const TestedBlocks& blocks) {
  int count = 0;
  Kokkos::parallel_reduce(
      "haloheap::test::served", threads,
      KOKKOS_LAMBDA(int i, int& sum) { sum += blocks(i).data == nullptr ? 0 : 1; }, count);
  return count;
}

TEST(Heap, serves_kernels_of_all_files_without_a_handle) {
  const Heap heap({.bytes = 8 << 20});
  const auto blocks = blocks_of(64);
  EXPECT_EQ(served(blocks), threads);
  EXPECT_EQ(heap.statistics().in_use, 64U * threads);
  free_in_other_file(blocks);
  EXPECT_EQ(heap.statistics().in_use, 0U);
}

struct AllFiveCalls {
  KOKKOS_FUNCTION void operator()(int i, int& sum) const {
    auto* numbers = static_cast<int*>(haloheap::calloc(4, sizeof(int)));
    if (numbers == nullptr || numbers[3] != 0) ++sum;
    if (numbers != nullptr) numbers[3] = i;
    numbers = static_cast<int*>(haloheap::realloc(numbers, 1000));
    if (numbers == nullptr || numbers[3] != i) ++sum;
    haloheap::free(numbers);
    void* const aligned = haloheap::aligned_alloc(128, 200);
    if (aligned == nullptr || reinterpret_cast<std::uintptr_t>(aligned) % 128 != 0) ++sum;
    haloheap::free(aligned);
  }
};
TEST(Heap, has_all_five_calls) {
  const Heap heap({.bytes = 8 << 20});
  int wrong = 0;
  Kokkos::parallel_reduce("haloheap::test::calls", threads, AllFiveCalls{}, wrong);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(heap.statistics().in_use, 0U);
}

TEST(Heap, of_an_inner_scope_is_that_of_the_kernels_there) {
  const Heap outer({.bytes = 8 << 20, .label = "outer"});
  const auto first = blocks_of(32);
  {
    const Heap inner({.bytes = 8 << 20, .label = "inner"});
    const auto blocks = blocks_of(48);
    EXPECT_EQ(inner.statistics().in_use, 48U * threads);
    EXPECT_EQ(outer.statistics().in_use, 32U * threads);
    free_in_other_file(blocks);
    EXPECT_EQ(inner.statistics().in_use, 0U);
  }
  free_in_other_file(first);
  EXPECT_EQ(outer.statistics().in_use, 0U);
}

TEST(Heap, that_ends_before_a_younger_one_changes_nothing) {
  std::optional<Heap> elder(std::in_place, allocators::HeapConfig{.bytes = 8 << 20});
  const Heap younger({.bytes = 8 << 20});
  elder.reset();
  free_in_other_file(blocks_of(16));
  EXPECT_GE(younger.statistics().high_water, 16U * threads);
  EXPECT_EQ(younger.statistics().in_use, 0U);
}

TEST(Heap, that_is_full_gives_nothing_and_counts_it) {
  const Heap heap({.bytes = 1 << 20});
  const int got = served(blocks_of(8192));
  EXPECT_LE(got, 128);
  EXPECT_GT(got, 64);
  EXPECT_EQ(heap.statistics().failures, static_cast<unsigned>(threads - got));
}

TEST(Heap, of_another_type_than_the_kernels_is_refused) {
  const allocators::detail::MallocFile other("some_other_heap",
                                             [](const allocators::HeapConfig::Exec&, const void*) {});
  try {
    const Heap heap({.bytes = 1 << 20});
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.cause(),
              "kernels that call haloheap::malloc were compiled for the heap some_other_heap in one file and "
              "for slab_walk in another");
    EXPECT_EQ(error.remedy(), "define HALOHEAP_HEAP and HALOHEAP_CHECK_HEAP alike for all files");
  }
}

TEST(Heap, is_known_to_files_that_are_loaded_later) {
  const void* filled = nullptr;
  static const void** seen = nullptr;
  seen = &filled;
  const auto fill = [](const allocators::HeapConfig::Exec&, const void* slot) { *seen = slot; };
  const Heap heap({.bytes = 1 << 20});
  {
    const allocators::detail::MallocFile late("slab_walk", fill);
    EXPECT_NE(filled, nullptr);
  }
  filled = nullptr;
  const allocators::detail::MallocFile other("some_other_heap", fill);
  EXPECT_EQ(filled, nullptr) << "a heap that its kernels could not read";
}

using HeapDeathTest = ::testing::Test;
TEST(HeapDeathTest, without_one_the_program_ends_with_a_message) {
  if (!backend::kernels_on_host) GTEST_SKIP() << "a device's abort ends its context";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH((void)haloheap::malloc(8), "no haloheap::Heap is there");
  EXPECT_DEATH(
      {
        { const Heap heap({.bytes = 1 << 20}); }
        (void)haloheap::malloc(8);
      },
      "no haloheap::Heap is there");
}

}  // namespace
}  // namespace haloheap
