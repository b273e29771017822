// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The coalescing allocators as heaps: over both heaps that they come with, and what they promise.
#include <haloheap/allocators/coalescing/over_native.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/allocators/blocks.hpp>

#include <algorithm>
#include <string_view>

namespace haloheap::allocators {
namespace {

using Member = Kokkos::TeamPolicy<Exec>::member_type;

/// Every thread of every team writes to a block and gives it back; the blocks of a team are there at once.
template <class Handle>
struct UseBlocks {
  Handle heap;
  KOKKOS_FUNCTION void operator()(const Member& member, unsigned& wrong) const {
    const auto i = static_cast<unsigned>(member.league_rank() * member.team_size() + member.team_rank());
    for (std::size_t bytes = 1; bytes < 300; bytes += 1 + bytes / 2) {
      void* block = nullptr;
      if constexpr (TeamHandle<Handle>)
        block = heap.allocate(member, bytes);
      else
        block = heap.allocate(bytes);
      auto* const data = static_cast<unsigned char*>(block);
      if (data == nullptr) ++wrong;
      for (std::size_t b = 0; data != nullptr && b < bytes; ++b) data[b] = stamp(i, b);
      member.team_barrier();
      for (std::size_t b = 0; data != nullptr && b < bytes; ++b)
        if (data[b] != stamp(i, b)) ++wrong;
      heap.deallocate(data);
    }
  }
};

template <class A>
class CoalescingHeaps : public ::testing::Test {};
using All = ::testing::Types<BlockHeader, BlockTable, WarpHeader, WarpTable, BlockHeaderOverNative,
                             BlockTableOverNative, WarpHeaderOverNative, WarpTableOverNative>;
TYPED_TEST_SUITE(CoalescingHeaps, All, Names);

TYPED_TEST(CoalescingHeaps, ServeTeams) {
  TypeParam heap(Exec(), {.bytes = std::size_t{32} << 20, .label = "tested"});
  const UseBlocks<typename TypeParam::Handle> use{heap.handle()};
  const int team =
      std::min(64, Kokkos::TeamPolicy<Exec>(1, 1).team_size_max(use, Kokkos::ParallelReduceTag()));
  unsigned wrong = 0;
  Kokkos::parallel_reduce("haloheap::test::use_blocks", Kokkos::TeamPolicy<Exec>(50, team), use, wrong);
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(heap.statistics(Exec()).failures, 0U);
  EXPECT_EQ(heap.statistics(Exec()).in_use, 0U);
}

TYPED_TEST(CoalescingHeaps, PromiseWhatTheyDo) {
  const HeapConfig config{.bytes = std::size_t{32} << 20};
  const Promises promises = TypeParam::promises(config);
  const std::string_view name = TypeParam::name;
  EXPECT_EQ(promises.coalescing, name.starts_with("block") ? Coalescing::block : Coalescing::warp);
  EXPECT_EQ(promises.header, name.find("header") != name.npos ? 8U : 0U);
  EXPECT_EQ(promises.alignment, name.starts_with("warp_header") ? 2U : 16U);
  EXPECT_EQ(promises.alignment_from_16, 16U);
  EXPECT_FALSE(promises.frees_alone);
  EXPECT_TRUE(promises.frees);
}

TEST(CoalescingHeap, AlignsAsItIsAsked) {
  for (const unsigned alignment : {4U, 8U, 16U}) {
    const HeapConfig config{.bytes = std::size_t{4} << 20, .alignment = alignment};
    EXPECT_EQ(WarpHeader::promises(config).alignment_from_16, alignment);
    EXPECT_EQ(BlockHeader::promises(config).alignment_from_16, 16U);
    EXPECT_EQ(WarpHeader(Exec(), config).handle().alignment(), alignment);
  }
  try {
    WarpHeader(Exec(), {.bytes = std::size_t{4} << 20, .label = "tested", .alignment = 12});
    ADD_FAILURE() << "an alignment of 12";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.cause(),
              "warp_header cannot make the heap 'tested': blocks cannot be aligned to 12 bytes");
    EXPECT_EQ(error.remedy(), "use 4, 8 or 16");
  }
}

/// Elements of 16 bytes that need to be aligned to as many.
struct alignas(16) Aligned {
  double values[2];
};

template <class T>
struct MakeView {
  WarpHeader::Handle heap;
  KOKKOS_FUNCTION void operator()(unsigned, unsigned& got) const {
    const HeapView<T> view = heap.template view<T>(10);
    if (view.data() == nullptr) return;
    if (reinterpret_cast<std::uintptr_t>(view.data()) % alignof(T) == 0) ++got;
    heap.deallocate(view.data());
  }
};

template <class T>
unsigned views(unsigned alignment) {
  WarpHeader heap(Exec(), {.bytes = std::size_t{4} << 20, .alignment = alignment});
  unsigned got = 0;
  Kokkos::parallel_reduce("haloheap::test::views",
                          Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>(0, 100),
                          MakeView<T>{heap.handle()}, got);
  return got;
}

TEST(CoalescingHeap, ViewsAreAlignedOrHaveNoData) {
  for (const unsigned alignment : {4U, 8U, 16U}) {
    EXPECT_EQ(views<float>(alignment), 100U);
    EXPECT_EQ(views<double>(alignment), 100U);
    EXPECT_EQ(views<Aligned>(alignment), alignment == 16 ? 100U : 0U);
  }
}

TEST(CoalescingHeap, CountsItsTableAmongTheMetadata) {
  const HeapConfig config{.bytes = std::size_t{4} << 20};
  const std::size_t slabs = SlabWalk(Exec(), config).statistics(Exec()).metadata;
  EXPECT_EQ(WarpHeader(Exec(), config).statistics(Exec()).metadata, slabs + 8);
  EXPECT_EQ(WarpTable(Exec(), config).statistics(Exec()).metadata, slabs + 8 + 64 * 1024 * 8);
}

TEST(CoalescingHeap, RefusesAPoolThatIsTooSmall) {
  EXPECT_THROW(WarpHeader(Exec(), {.bytes = 1000}), UsageError);
  EXPECT_THROW(BlockTable(Exec(), {.bytes = 1000}), UsageError);
}

}  // namespace
}  // namespace haloheap::allocators
