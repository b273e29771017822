// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What was written to a block comes before what its next owner writes, by the heaps' fences alone.
#include <haloheap/unit/allocators/plain_heap_list.hpp>
#include <haloheap/unit/core/lanes/ordered_warp.hpp>

#include <gtest/gtest.h>

#include <random>

namespace haloheap::allocators {
namespace {

using namespace emulation;

/// A platform whose release fences do nothing, so that no block is handed on in order.
struct NoRelease : OrderTellingAtomics {
  static void fence() { Order::acquire(); }
  static void release_fence() {}
};
struct NoReleasePlatform : OrderedPlatform {
  using Atomics = NoRelease;
};

/// How many blocks were written to by a new owner whom nothing tells of the writes of the one before.
template <class Heap>
unsigned overtaken(unsigned seeds) {
  constexpr Grid grid{2, 32};
  constexpr std::size_t grain = 16;
  unsigned wrong = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const Heap heap(Heap::tight);
    std::vector<std::size_t> sizes = heap.sizes();
    sizes.push_back(heap.large());
    Order::start(grid.threads());
    RandomSchedule schedule(seed);
    run_warps(grid, schedule, [&](unsigned thread) {
      std::minstd_rand random(seed * 1000 + thread + 1);
      for (unsigned round = 0; round < 8; ++round) {
        const std::size_t bytes = sizes[random() % sizes.size()];
        auto* const block = static_cast<std::byte*>(heap.handle().allocate(bytes));
        if (block == nullptr) continue;
        // Its first bytes and its last, which is enough to meet those of others.
        for (const std::size_t at : {std::size_t{0}, bytes / grain / 2 * grain})
          wrong += Order::touch(block + at) ? 0 : 1;
        heap.handle().deallocate(block);
      }
    });
  }
  return wrong;
}

template <class Heap>
class BlockOrder : public ::testing::Test {};
TYPED_TEST_SUITE(BlockOrder, PlainHeaps<OrderedPlatform>, PlainHeapNames);

TYPED_TEST(BlockOrder, WritesOfAnOwnerComeBeforeThoseOfTheNext) {
  EXPECT_EQ(overtaken<TypeParam>(12), 0U);
}

template <class Heap>
class BlocksWithoutOrder : public ::testing::Test {};
TYPED_TEST_SUITE(BlocksWithoutOrder, PlainHeaps<NoReleasePlatform>, PlainHeapNames);

TYPED_TEST(BlocksWithoutOrder, AreSeen) {
  if (!TypeParam::Allocator::promises({}).frees) GTEST_SKIP() << "nothing has a second owner";
  EXPECT_GT(overtaken<TypeParam>(12), 0U);
}

/// Atomics that tell which words of a range were changed by a lane to which nothing had shown the store that
/// started them: counters, of which each word in a block is one.
struct StartedWords : OrderTellingAtomics {
  template <class T>
  static void store(T* to, std::type_identity_t<T> value) {
    OrderTellingAtomics::store(to, value);
    if (is_watched(to)) Order::touch(to);
  }
  template <class T>
  static T fetch_add(T* to, std::type_identity_t<T> value) {
    if (is_watched(to)) ++changes, unseen += Order::sees(to) ? 0 : 1;
    return OrderTellingAtomics::fetch_add(to, value);
  }

  static inline const std::byte *first = nullptr, *last = nullptr;
  static inline unsigned changes = 0, unseen = 0;

 private:
  static bool is_watched(const void* word) { return word >= first && word < last; }
};
struct StartedWordsPlatform : OrderedPlatform {
  using Atomics = StartedWords;
};

TEST(SuperblockOrder, ACounterStandsBeforeAnyLaneOfTheWarpGivesItsPartBack) {
  using Heap = PlainWarpTable<StartedWordsPlatform>;
  constexpr Grid grid{1, 32};
  StartedWords::changes = StartedWords::unseen = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Heap heap(Heap::tight);
    StartedWords::first = heap.pool();
    StartedWords::last = heap.pool() + heap.bytes();
    Order::start(grid.threads());
    RandomSchedule schedule(seed);
    run_warps(grid, schedule, [&](unsigned) { heap.handle().deallocate(heap.handle().allocate(30)); });
  }
  EXPECT_GT(StartedWords::changes, 100U);
  EXPECT_EQ(StartedWords::unseen, 0U);
}

}  // namespace
}  // namespace haloheap::allocators
