// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What every in-kernel allocator must do. Who includes this has said which: AllocatorTypes<...>
// TestedAllocators.
#ifndef HALOHEAP_UNIT_ALLOCATORS_CONFORMANCE_HPP
#define HALOHEAP_UNIT_ALLOCATORS_CONFORMANCE_HPP

#include <haloheap/unit/allocators/allocator_fixture.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <vector>

namespace haloheap::allocators {
namespace {

template <class Handle>
struct Allocate {
  Handle heap;
  Sizes sizes;
  Blocks blocks;
  KOKKOS_FUNCTION void operator()(unsigned i) const {
    const std::size_t bytes = sizes(i);
    blocks(i) = {static_cast<unsigned char*>(heap.allocate(bytes)), bytes};
    if (blocks(i).data == nullptr) return;
    for (std::size_t b = 0; b < bytes; b = next_byte(b, bytes)) blocks(i).data[b] = stamp(i, b);
  }
};

template <class A>
class Conformance : public AllocatorFixture<A> {
 protected:
  using typename AllocatorFixture<A>::Handle, typename AllocatorFixture<A>::Policy;
  using AllocatorFixture<A>::config, AllocatorFixture<A>::exec_;

  std::size_t clamp(std::size_t bytes) const { return std::min(bytes, A::promises(config()).largest); }

  Blocks allocate(const A& heap, unsigned threads, Sizes sizes) {
    Blocks blocks("haloheap::test::blocks", threads);
    Kokkos::parallel_for("haloheap::test::allocate", Policy(exec_, 0, threads),
                         Allocate<Handle>{heap.handle(), sizes, blocks});
    return blocks;
  }
};

TYPED_TEST_SUITE(Conformance, typename AsTypes<TestedAllocators>::type, Names);

TYPED_TEST(Conformance, BlocksDoNotOverlap) {
  TypeParam heap(this->exec_, this->config());
  for (const std::size_t size : {1, 4, 16, 17, 100, 256}) {
    const std::size_t bytes = this->clamp(size);
    const unsigned threads = std::min<unsigned>(many, (32U << 20) / std::max<unsigned>(bytes, 32) / 2);
    const auto blocks = this->allocate(heap, threads, {bytes, bytes, 0});
    EXPECT_EQ(this->check(blocks), threads) << bytes;
    this->free(heap, blocks);
    if (!TypeParam::promises(this->config()).frees) heap.reset(this->exec_);
  }
  EXPECT_EQ(heap.statistics(this->exec_).failures, 0U);
}

TYPED_TEST(Conformance, MixedSizesDoNotOverlap) {
  TypeParam heap(this->exec_, this->config());
  const auto blocks = this->allocate(heap, std::min(many, 20'000U), {0, this->clamp(1024), 7});
  EXPECT_EQ(this->check(blocks), blocks.extent(0));
  this->free(heap, blocks);
}

TYPED_TEST(Conformance, AFullHeapSaysSoAndRecovers) {
  const std::size_t bytes = this->clamp(1000);
  const auto config = this->config(8389 * bytes);
  if (!TypeParam::promises(config).resets) GTEST_SKIP() << "does not keep to its size";
  TypeParam heap(this->exec_, config);
  const unsigned threads = 20'000;  // of which some 8000 can have a block
  const auto first = this->allocate(heap, threads, {bytes, bytes, 0});
  const unsigned served = this->check(first);
  EXPECT_GT(served, threads / 5);
  EXPECT_LT(served, threads / 2);
  EXPECT_EQ(heap.statistics(this->exec_).failures, threads - served);
  EXPECT_EQ(this->check(this->allocate(heap, 100, {bytes, bytes, 0})), 0U);
  if (TypeParam::promises(config).frees)
    this->free(heap, first);
  else
    heap.reset(this->exec_);
  EXPECT_EQ(heap.statistics(this->exec_).in_use, 0U);
  EXPECT_EQ(this->check(this->allocate(heap, threads, {bytes, bytes, 0})), served);
}

TYPED_TEST(Conformance, WhatIsFreedAmongOthersIsUsedAgain) {
  const std::size_t bytes = this->clamp(500);
  const auto config = this->config(16778 * bytes);
  if (!TypeParam::promises(config).frees_alone) GTEST_SKIP() << "frees only with the neighbours";
  if (!TypeParam::promises(config).resets) GTEST_SKIP() << "does not keep to its size";
  TypeParam heap(this->exec_, config);
  const auto all = this->allocate(heap, 20'000, {bytes, bytes, 0});
  const unsigned served = this->check(all);
  this->free(heap, all, 3, 1);
  const unsigned left = this->check(all);
  const auto again = this->allocate(heap, 20'000, {bytes, bytes, 0});
  EXPECT_EQ(this->check(again), served - left);
  EXPECT_EQ(this->check(all), left);
}

TYPED_TEST(Conformance, ResetForgetsEverything) {
  const auto config = this->config(std::size_t{4} << 20);
  if (!TypeParam::promises(config).resets) GTEST_SKIP() << "takes nothing back";
  TypeParam heap(this->exec_, config);
  const std::size_t bytes = this->clamp(256);
  const unsigned served = this->check(this->allocate(heap, 20'000, {bytes, bytes, 0}));
  heap.reset(this->exec_);
  EXPECT_EQ(heap.statistics(this->exec_).in_use, 0U);
  EXPECT_EQ(heap.statistics(this->exec_).failures, 0U);
  EXPECT_EQ(this->check(this->allocate(heap, 20'000, {bytes, bytes, 0})), served);
}

TYPED_TEST(Conformance, ZeroBytesAndTheLargestRequest) {
  const auto config = this->config();
  TypeParam heap(this->exec_, config);
  const auto none = this->allocate(heap, 50, {0, 0, 0});
  EXPECT_EQ(this->check(none), 50U);
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), none);
  std::vector<unsigned char*> addresses;
  for (unsigned i = 0; i < 50; ++i) addresses.push_back(host(i).data);
  std::sort(addresses.begin(), addresses.end());
  EXPECT_EQ(std::unique(addresses.begin(), addresses.end()), addresses.end()) << "each has its own";
  this->free(heap, none);
  heap.reset(this->exec_);
  const std::size_t largest = TypeParam::promises(config).largest;
  const auto one = this->allocate(heap, 1, {largest, largest, 0});
  EXPECT_EQ(this->check(one), 1U);
  std::uint64_t refused = 0;
  for (const std::size_t bytes : {largest + 1, std::size_t{1} << 40, ~std::size_t{0}, ~std::size_t{0} - 8}) {
    Blocks blocks("haloheap::test::blocks", 1);
    Kokkos::parallel_for("haloheap::test::oversize", typename TestFixture::Policy(this->exec_, 0, 1),
                         Allocate<typename TypeParam::Handle>{heap.handle(), {bytes, bytes, 0}, blocks});
    EXPECT_EQ(this->check(blocks), 0U) << bytes;
    EXPECT_EQ(heap.statistics(this->exec_).failures, ++refused) << bytes;
  }
}

TYPED_TEST(Conformance, SeveralHeaps) {
  TypeParam one(this->exec_, this->config(std::size_t{4} << 20));
  TypeParam two(this->exec_, this->config(std::size_t{4} << 20));
  const auto ones = this->allocate(one, 1000, {100, 100, 0});
  const auto twos = this->allocate(two, 1000, {100, 100, 0});
  EXPECT_EQ(this->check(ones), 1000U);
  EXPECT_EQ(this->check(twos), 1000U);
  this->free(one, ones);
  EXPECT_EQ(this->check(twos), 1000U);
  this->free(two, twos);
}

/// Lanes come and go: each asks after a while of its own, and some give back at once and ask again. Thread i
/// has the blocks from `each` * i on.
template <class Handle>
struct ComeAndGo {
  Handle heap;
  Kokkos::View<const unsigned*, Exec> zeros;
  Blocks blocks;
  unsigned each;
  bool frees;

  KOKKOS_FUNCTION void operator()(unsigned thread) const {
    unsigned random = lanes::bits::mix(thread);
    for (unsigned block = thread * each; block < (thread + 1) * each; ++block) {
      for (unsigned wait = random % 9; wait > 0; --wait)
        random = lanes::bits::mix(random + zeros(random % zeros.extent(0)));
      random = lanes::bits::mix(random + 1);
      const std::size_t bytes = random % 2 == 0 ? 48 : 64;
      void* data = nullptr;
      if (bytes == 48) {  // a place of its own in the code, at which other lanes meet
        data = heap.allocate(bytes);
      } else {
        data = heap.allocate(bytes);
        if (frees && random % 4 == 1) {
          heap.deallocate(data);
          data = heap.allocate(bytes);
        }
      }
      blocks(block) = {static_cast<unsigned char*>(data), bytes};
      for (std::size_t b = 0; data != nullptr && b < bytes; ++b) blocks(block).data[b] = stamp(block, b);
    }
  }
};

TYPED_TEST(Conformance, LanesComeAndGoInLoops) {
  constexpr unsigned threads = on_host ? 500 : 5'000, each = 8, cells = 4096;
  const auto config = this->config();
  TypeParam heap(this->exec_, config);
  const Blocks blocks("haloheap::test::blocks", std::size_t{threads} * each);
  const Kokkos::View<unsigned*, Exec> zeros("haloheap::test::zeros", cells);
  const bool frees = TypeParam::promises(config).frees;
  Kokkos::parallel_for("haloheap::test::come_and_go", typename TestFixture::Policy(this->exec_, 0, threads),
                       ComeAndGo<typename TypeParam::Handle>{heap.handle(), zeros, blocks, each, frees});
  EXPECT_EQ(this->check(blocks), threads * each);
  EXPECT_EQ(heap.statistics(this->exec_).failures, 0U);
  this->free(heap, blocks);
  if (!frees) return;
  EXPECT_EQ(heap.statistics(this->exec_).in_use, 0U);
}

/// Each thread holds up to eight blocks and replaces them at random; it checks them before it gives them
/// back.
template <class Handle>
struct Churn {
  Handle heap;
  std::size_t maximum;
  unsigned rounds;

  KOKKOS_FUNCTION void operator()(unsigned thread, unsigned& wrong) const {
    constexpr unsigned held = 8;
    unsigned char* blocks[held] = {};
    std::size_t bytes[held] = {};
    unsigned random = thread;
    for (unsigned round = 0; round < rounds + held; ++round) {
      random = lanes::bits::mix(random + 1);
      const unsigned i = round < rounds ? random % held : round - rounds;
      for (std::size_t b = 0; blocks[i] != nullptr && b < bytes[i]; b += 5)
        if (blocks[i][b] != stamp(thread + i, b)) ++wrong;
      heap.deallocate(blocks[i]);
      blocks[i] = nullptr;
      if (round >= rounds || random % 7 == 0) continue;  // divergent, on purpose
      bytes[i] = (random >> 8) % (random % 3 == 0 ? maximum : 64) + 1;
      blocks[i] = static_cast<unsigned char*>(heap.allocate(bytes[i]));
      for (std::size_t b = 0; blocks[i] != nullptr && b < bytes[i]; b += 5)
        blocks[i][b] = stamp(thread + i, b);
    }
  }
};

TYPED_TEST(Conformance, AMillionRandomOperations) {
  const auto config = this->config(std::size_t{32} << 20);
  if (!TypeParam::promises(config).frees) GTEST_SKIP() << "frees nothing";
  TypeParam heap(this->exec_, config);
  const unsigned threads = on_host ? 1000 : 20'000;
  unsigned wrong = 0;
  Kokkos::parallel_reduce(
      "haloheap::test::churn", typename TestFixture::Policy(this->exec_, 0, threads),
      Churn<typename TypeParam::Handle>{heap.handle(), this->clamp(2048), on_host ? 1000U : 100U}, wrong);
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(heap.statistics(this->exec_).in_use, 0U);
  if (!TypeParam::promises(config).recovers_all || !TypeParam::promises(config).resets) return;
  TypeParam fresh(this->exec_, config);
  const std::size_t bytes = this->clamp(1000);
  const unsigned more = static_cast<unsigned>(config.bytes / bytes) + 1000;
  const unsigned all = this->check(this->allocate(fresh, more, {bytes, bytes, 0}));
  EXPECT_LT(all, more);
  EXPECT_EQ(this->check(this->allocate(heap, more, {bytes, bytes, 0})), all);
}

}  // namespace
}  // namespace haloheap::allocators

#endif
