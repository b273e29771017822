// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// In-kernel allocators raced by real threads: what this proves depends on ThreadSanitizer, which must report
// the bugs of race_bugs.cpp.
#include <haloheap/unit/allocators/plain_heaps.hpp>
#include <haloheap/unit/allocators/plain_page_heaps.hpp>
#include <haloheap/unit/allocators/race.hpp>
#include <haloheap/unit/allocators/raced_platform.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

using RacedHeaps = ::testing::Types<                //
    PlainSlabWalk<RacedPlatform<>>,                 //
    PlainRandomWalk<RacedPlatform<>>,               //
    PlainRandomWalkBitmap<RacedPlatform<>>,         //
    PlainCollaborativeRandomWalk<RacedPlatform<>>,  //
    PlainRwMalloc<RacedPlatform<>>>;

template <class Heap>
class AllocatorRace : public ::testing::Test {};

struct Names {
  template <class Heap>
  static std::string GetName(int) {
    return Heap::name;
  }
};
TYPED_TEST_SUITE(AllocatorRace, RacedHeaps, Names);

TYPED_TEST(AllocatorRace, ThreadsAllocateAndFreeEachOthersBlocks) {
  const TypeParam heap(std::size_t{4} << 16);
  EXPECT_EQ(Race<TypeParam>(heap).run(4, 10'000), 0U);
  EXPECT_EQ(heap.in_use(), 0U);
  EXPECT_EQ(heap.fault(), "");
}

}  // namespace
}  // namespace haloheap
