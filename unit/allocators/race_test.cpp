// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// In-kernel allocators raced by real threads: what this proves depends on ThreadSanitizer, which must report
// the bugs of race_bugs.cpp.
#include <haloheap/unit/allocators/part_race.hpp>
#include <haloheap/unit/allocators/plain_heap_list.hpp>
#include <haloheap/unit/allocators/race.hpp>
#include <haloheap/unit/allocators/raced_platform.hpp>

#include <gtest/gtest.h>

namespace haloheap::allocators {
namespace {

template <class Heap>
class AllocatorRace : public ::testing::Test {};
TYPED_TEST_SUITE(AllocatorRace, PlainHeaps<RacedPlatform<>>, PlainHeapNames);

TYPED_TEST(AllocatorRace, ThreadsAllocateAndFreeEachOthersBlocks) {
  for (const std::size_t bytes : {std::size_t{4} << 16, TypeParam::tight}) {
    const TypeParam heap(bytes);
    EXPECT_EQ(Race<TypeParam>(heap).run(4, 10'000), 0U);
    if (TypeParam::Allocator::promises({}).frees) {
      EXPECT_EQ(heap.in_use(), 0U);
    }
    EXPECT_EQ(heap.fault(), "");
  }
}

// A thread is a warp of one lane, whose superblocks have one part; so the parts of one are raced by
// themselves.

TEST(SuperblockRace, TheLastPartCountedGivesItBack) {
  EXPECT_EQ(PartRace<CountedParts<RacedPlatform<>>>().run(5'000), 0U);
}

TEST(SuperblockRace, TheLastSegmentOfAChainGivesItBack) {
  EXPECT_EQ((PartRace<ChainedParts<RacedPlatform<>, false>>().run(5'000)), 0U);
  EXPECT_EQ((PartRace<ChainedParts<RacedPlatform<>, true>>().run(5'000)), 0U);
}

}  // namespace
}  // namespace haloheap::allocators
