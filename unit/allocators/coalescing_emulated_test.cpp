// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The warp allocators of [Blach2022] on warps of 32 lanes that take turns in
// any order, over a heap that checks what they do.
#include <haloheap/allocators/coalescing/warp_header_handle.hpp>
#include <haloheap/allocators/coalescing/warp_table_handle.hpp>
#include <haloheap/unit/allocators/checked_heap.hpp>
#include <haloheap/unit/core/lanes/emulated_warp.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace haloheap::allocators {
namespace {

using emulation::EmulatedPlatform;
using Under = CheckedHeapHandle<EmulatedPlatform>;
using Source = detail::Superblocks<EmulatedPlatform, Under>;
using Table = detail::SuperblockTable<EmulatedPlatform>;
using Header = detail::WarpHeaderHandle<EmulatedPlatform, Under>;
using Parts = detail::WarpTableHandle<EmulatedPlatform, Under>;

/// A plug-in over a checked heap of `units`, with a table of `places`.
template <class Handle>
struct Heap {
  CheckedHeap<EmulatedPlatform> under;
  std::vector<Table::Word> words;
  std::uint64_t failures = 0;
  std::size_t largest;
  unsigned alignment = 16;

  Heap(std::uint32_t units, std::uint32_t places)
      : under(units), words(places), largest(std::size_t{units} * 16 - detail::superblocks::front) {}
  Handle handle() {
    const Source source(under.handle(), &failures, largest);
    if constexpr (std::is_same_v<Handle, Header>)
      return {source, alignment};
    else
      return Handle({source, Table(words.data(), static_cast<std::uint32_t>(words.size()))});
  }
};

/// What an array of so many bytes can need, and `from_16` from there on.
std::size_t needed_alignment(std::size_t bytes, std::size_t from_16 = 16) {
  const std::size_t array = bytes == 0 ? 1 : std::min<std::size_t>(bytes & ~(bytes - 1), 8);
  return bytes >= 16 ? std::max(array, from_16) : array;
}

struct Block {
  unsigned char* data = nullptr;
  std::size_t bytes = 0;
  unsigned char value = 0;

  bool right() const {
    return data == nullptr ||
           std::all_of(data, data + bytes, [this](unsigned char byte) { return byte == value; });
  }
};

/// Threads allocate, and give back what they or others have allocated, in any order.
template <class Handle>
std::uint64_t trade(Heap<Handle>& heap, unsigned seed, std::vector<std::size_t> sizes) {
  emulation::RandomSchedule schedule(seed);
  const emulation::Grid grid{2, 32};
  std::vector<Block> shelf(16);
  std::uint64_t served = 0;
  unsigned char next = 0;
  const auto give_back = [&](const Block& block) {
    EXPECT_TRUE(block.right()) << "overwritten, seed " << seed;
    heap.handle().deallocate(block.data);
  };
  const auto kernel = [&](unsigned) {
    for (int round = 0; round < 4; ++round) {
      Block block{nullptr, sizes[EmulatedPlatform::entropy() % sizes.size()], ++next};
      if (EmulatedPlatform::entropy() % 4 == 0) EmulatedPlatform::Atomics::fence();  // comes late
      block.data = static_cast<unsigned char*>(heap.handle().allocate(block.bytes));
      if (block.data == nullptr) continue;
      ++served;
      const std::size_t alignment =
          std::is_same_v<Handle, Header> ? needed_alignment(block.bytes, heap.alignment) : 16;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data) % alignment, 0U);
      std::fill_n(block.data, block.bytes, block.value);
      std::swap(block, shelf[EmulatedPlatform::entropy() % shelf.size()]);
      give_back(block);
    }
  };
  try {
    emulation::run_warps(grid, schedule, kernel);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
  for (const Block& block : shelf) give_back(block);
  const auto metadata = heap.under.metadata();
  EXPECT_EQ(metadata.live, 0U) << "superblocks are lost, seed " << seed;
  EXPECT_EQ(metadata.errors, 0U) << "what is no superblock was given back, seed " << seed;
  EXPECT_TRUE(std::all_of(heap.words.begin(), heap.words.end(), [](auto word) { return word == 0; }));
  EXPECT_EQ(served + heap.failures, 4U * grid.threads());
  return served;
}

template <class Handle>
class EmulatedCoalescing : public ::testing::Test {};
using Handles = ::testing::Types<Header, Parts>;
TYPED_TEST_SUITE(EmulatedCoalescing, Handles);

TYPED_TEST(EmulatedCoalescing, AnyLanesAnySizesAnyOrder) {
  const std::vector<std::vector<std::size_t>> sizes = {
      {0, 1, 2, 3},        // headers of 2 bytes
      {1, 4, 8, 12, 13},   // of 4 and 8 bytes, mixed
      {4},                 // of 4 bytes
      {1, 7, 16, 40, 200}  // of 8 bytes
  };
  for (unsigned seed = 0; seed < 100; ++seed) {
    Heap<TypeParam> heap(1U << 14, 512);
    EXPECT_EQ(trade(heap, seed, sizes[seed % sizes.size()]), 256U);
  }
}

TYPED_TEST(EmulatedCoalescing, WithTooLittleMemory) {
  std::uint64_t served = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    Heap<TypeParam> heap(400, 512);
    served += trade(heap, seed, {20, 40, 300});
  }
  EXPECT_GT(served, 0U);
  EXPECT_LT(served, 40U * 256);
}

TYPED_TEST(EmulatedCoalescing, WhoAsksForTooMuchIsRefusedAlone) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Heap<TypeParam> heap(1U << 14, 512);
    emulation::RandomSchedule schedule(seed);
    const std::size_t sizes[] = {10, ~std::size_t{0}, 20, std::size_t{1} << 32, 40, heap.largest + 1};
    std::vector<void*> blocks(64);
    emulation::run_warps({2, 32}, schedule, [&](unsigned thread) {
      blocks[thread] = heap.handle().allocate(sizes[thread % 6]);
    });
    for (unsigned thread = 0; thread < 64; ++thread)
      EXPECT_EQ(blocks[thread] == nullptr, thread % 2 == 1) << "seed " << seed;
    EXPECT_EQ(heap.failures, 32U);
    for (void* const block : blocks) heap.handle().deallocate(block);
    EXPECT_EQ(heap.under.metadata().live, 0U);
    EXPECT_EQ(heap.under.metadata().errors, 0U);
  }
}

/// A warp's lanes ask for 1 MiB each, twice the reach of the table's words together.
TYPED_TEST(EmulatedCoalescing, LargeSuperblocksAreCoalescedAsWell) {
  const std::size_t bytes = std::size_t{1} << 20;
  bool whole = false;
  for (unsigned seed = 0; seed < 100 && !whole; ++seed) {
    Heap<TypeParam> heap(32 * bytes / 16 + 256, 512);
    emulation::RandomSchedule schedule(seed);
    std::vector<unsigned char*> blocks(32);
    emulation::run_warps({1, 32}, schedule, [&](unsigned thread) {
      blocks[thread] = static_cast<unsigned char*>(heap.handle().allocate(bytes));
      ASSERT_NE(blocks[thread], nullptr);
      std::fill_n(blocks[thread], 64, static_cast<unsigned char>(thread));
      std::fill_n(blocks[thread] + bytes - 64, 64, static_cast<unsigned char>(thread));
    });
    whole = whole || heap.under.metadata().live == 1;
    EXPECT_LT(heap.under.metadata().live, 32U);
    for (unsigned thread = 0; thread < 32; ++thread) {
      EXPECT_EQ(std::count(blocks[thread], blocks[thread] + 64, thread), 64);
      EXPECT_EQ(std::count(blocks[thread] + bytes - 64, blocks[thread] + bytes, thread), 64);
    }
    for (unsigned i = 0; i < 32; ++i) heap.handle().deallocate(blocks[i * 7 % 32]);
    EXPECT_EQ(heap.under.metadata().live, 0U) << "seed " << seed;
    EXPECT_EQ(heap.under.metadata().errors, 0U) << "seed " << seed;
    EXPECT_TRUE(std::all_of(heap.words.begin(), heap.words.end(), [](auto word) { return word == 0; }));
  }
  EXPECT_TRUE(whole) << "no warp came together";
}

/// Each alone would fit. They are not served one by one, behind the user's back, but all or none.
TYPED_TEST(EmulatedCoalescing, ALargeGroupWithoutRoomGetsNothing) {
  const std::size_t bytes = std::size_t{1} << 20;
  bool none = false;
  for (unsigned seed = 0; seed < 100 && !none; ++seed) {
    Heap<TypeParam> heap(31 * bytes / 16, 512);
    emulation::RandomSchedule schedule(seed);
    std::vector<void*> blocks(32);
    emulation::run_warps({1, 32}, schedule,
                         [&](unsigned thread) { blocks[thread] = heap.handle().allocate(bytes); });
    const auto refused = std::count(blocks.begin(), blocks.end(), nullptr);
    EXPECT_EQ(heap.failures, static_cast<std::uint64_t>(refused));
    EXPECT_GT(refused, 0);
    none = none || refused == 32;
  }
  EXPECT_TRUE(none) << "no warp came together";
}

TEST(EmulatedWarpTable, WithATableThatIsTooSmall) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Heap<Parts> heap(1U << 14, 64);
    std::vector<std::size_t> sizes = {16, 30};
    // Half of the places are taken by somebody who never goes away.
    const Table table(heap.words.data(), 64);
    for (std::uintptr_t i = 1; i <= 56; ++i) table.insert(reinterpret_cast<std::byte*>(i * 16), 16);
    emulation::RandomSchedule schedule(seed);
    std::vector<void*> blocks(64);
    emulation::run_warps({2, 32}, schedule, [&](unsigned thread) {
      blocks[thread] = heap.handle().allocate(sizes[thread % 2]);
    });
    EXPECT_EQ(std::count(blocks.begin(), blocks.end(), nullptr), 56);
    EXPECT_EQ(heap.failures, 56U);
    for (void* const block : blocks) heap.handle().deallocate(block);
    EXPECT_EQ(heap.under.metadata().live, 0U);
    EXPECT_EQ(heap.under.metadata().errors, 0U);
  }
}

/// Headers of 2, 4 and 8 bytes in one superblock, and each alignment.
TEST(EmulatedWarpHeader, EachLaneHasTheSmallestHeaderThatItCanHave) {
  const std::vector<std::vector<std::size_t>> sizes = {
      {1, 4, 8, 16}, {100, 104, 2}, {20, 3}, {12, 14, 15, 36, 200}, {7, 300, 301, 302, 303, 308}};
  for (const unsigned alignment : {4U, 8U, 16U})
    for (unsigned seed = 0; seed < 50; ++seed) {
      Heap<Header> heap(1U << 14, 512);
      heap.alignment = alignment;
      EXPECT_EQ(trade(heap, seed, sizes[seed % sizes.size()]), 256U);
    }
}

/// What the lanes of a whole warp take, in bytes, where lane i asks for sizes[i % count].
std::size_t superblock_bytes(const std::vector<std::size_t>& sizes, unsigned alignment) {
  std::size_t total = 0;
  for (unsigned seed = 0; seed < 100 && total == 0; ++seed) {
    emulation::RandomSchedule schedule(seed);
    emulation::run_warps({1, 32}, schedule, [&](unsigned thread) {
      const auto lanes = EmulatedPlatform::Lanes::here();
      const auto layout = detail::SegmentLayout::of(lanes, sizes[thread % sizes.size()], alignment);
      if (lanes::bits::count(lanes.mask()) == 32) total = layout.total;
    });
  }
  return total;
}

TEST(EmulatedWarpHeader, OneLargeLaneDoesNotCostTheOthersALargeHeader) {
  // 31 lanes of 2 bytes with headers of 2 are 124 bytes; then a header of 8 that ends at a multiple of 16.
  std::vector<std::size_t> sizes(32, 2);
  sizes[7] = 16;
  EXPECT_EQ(superblock_bytes(sizes, 16), 144U + 16);
  // 31 lanes of 4 bytes with headers of 4 are 248 bytes.
  std::fill(sizes.begin(), sizes.end(), 4);
  sizes[31] = 16;
  EXPECT_EQ(superblock_bytes(sizes, 16), 256U + 16);
  EXPECT_EQ(superblock_bytes({2}, 4), 32U * 4);
  EXPECT_EQ(superblock_bytes({1, 4, 8, 100}, 4), 8U * (4 + 8 + 16 + 104));
}

TEST(EmulatedWarpHeader, AnAlignmentOfFourSavesRoomAsThePaperHasIt) {
  EXPECT_EQ(superblock_bytes({100}, 16), 8U + 32 * 112 - 4);
  EXPECT_EQ(superblock_bytes({100}, 8), 32U * 112 - 4);
  EXPECT_EQ(superblock_bytes({100}, 4), 32U * 104);
  EXPECT_EQ(superblock_bytes({200}, 4), 32U * 208) << "what may be doubles has headers of 8";
}

TEST(EmulatedWarpHeader, HeadersOfFourBytesReachOverHalfAGibibyte) {
  // The segment before may be so long that its distance needs a header of 8.
  const std::size_t large = std::size_t{1} << 30, small = 20;
  EXPECT_EQ(superblock_bytes({large, small}, 4), 16 * (large + 8 + 32) - 4);
  EXPECT_EQ(superblock_bytes({small}, 4), 32U * 24);
}

TEST(EmulatedWarpHeader, NeighboursOfAGroupAreNeighbours) {
  struct Expected {
    std::size_t bytes;
    std::ptrdiff_t apart;  // bytes from one lane's block to the next
    unsigned alignment;
  };
  const std::vector<Expected> expected = {
      {1, 4, 16},   {2, 4, 16},   {3, 8, 16},     {4, 8, 16},  {6, 8, 16},    {8, 16, 16}, {12, 16, 16},
      {16, 32, 16}, {24, 32, 16}, {100, 112, 16}, {16, 24, 8}, {100, 112, 8}, {20, 24, 4}, {100, 104, 4}};
  for (const auto& [bytes, apart, alignment] : expected)
    for (unsigned seed = 0; seed < 10; ++seed) {
      Heap<Header> heap(1U << 14, 64);
      heap.alignment = alignment;
      emulation::RandomSchedule schedule(seed);
      std::vector<unsigned char*> blocks(32);
      emulation::run_warps({1, 32}, schedule, [&, n = bytes](unsigned thread) {
        blocks[thread] = static_cast<unsigned char*>(heap.handle().allocate(n));
      });
      std::sort(blocks.begin(), blocks.end());
      const auto superblocks = heap.under.metadata().live;
      std::ptrdiff_t close = 0;
      for (std::size_t i = 1; i < blocks.size(); ++i)
        if (blocks[i] - blocks[i - 1] == apart) ++close;
      EXPECT_GE(close, 32 - static_cast<std::ptrdiff_t>(superblocks)) << bytes << " at " << alignment;
    }
}

}  // namespace
}  // namespace haloheap::allocators
