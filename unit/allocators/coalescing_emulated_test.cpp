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

  Heap(std::uint32_t units, std::uint32_t places) : under(units), words(places) {}
  Handle handle() {
    const Source source(under.handle(), &failures);
    if constexpr (std::is_same_v<Handle, Header>)
      return Handle(source);
    else
      return Handle({source, Table(words.data(), static_cast<std::uint32_t>(words.size()))});
  }
};

std::size_t needed_alignment(std::size_t bytes) {
  return bytes >= 16 ? 16 : bytes == 0 ? 1 : bytes & ~(bytes - 1);
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
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.data) % needed_alignment(block.bytes), 0U);
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

TYPED_TEST(EmulatedCoalescing, WithGroupsThatAreTooLarge) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Heap<TypeParam> heap(1U << 14, 512);
    trade(heap, seed, {10, 20, ~std::size_t{0}, std::size_t{1} << 32, std::size_t{20} << 20});
  }
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

TEST(EmulatedWarpHeader, NeighboursOfAGroupAreNeighbours) {
  // Bytes from one lane's block to the next.
  const std::vector<std::pair<std::size_t, std::ptrdiff_t>> expected = {
      {1, 4}, {2, 4}, {3, 8}, {4, 8}, {8, 16}, {12, 16}, {16, 32}, {24, 32}, {100, 112}};
  for (const auto& [bytes, apart] : expected)
    for (unsigned seed = 0; seed < 10; ++seed) {
      Heap<Header> heap(1U << 14, 64);
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
      EXPECT_GE(close, 32 - static_cast<std::ptrdiff_t>(superblocks)) << bytes;
    }
}

}  // namespace
}  // namespace haloheap::allocators
