// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What every in-kernel allocator that whole teams call must do. Who includes this has said which:
// AllocatorTypes<...> TestedAllocators.
#ifndef HALOHEAP_UNIT_ALLOCATORS_TEAM_CONFORMANCE_HPP
#define HALOHEAP_UNIT_ALLOCATORS_TEAM_CONFORMANCE_HPP

#include <haloheap/unit/allocators/allocator_fixture.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <vector>

namespace haloheap::allocators {
namespace {

using TeamPolicy = Kokkos::TeamPolicy<Exec>;
using Member = TeamPolicy::member_type;

KOKKOS_FUNCTION unsigned thread_number(const Member& member) {
  return static_cast<unsigned>(member.league_rank() * member.team_size() + member.team_rank());
}

template <class Handle>
struct TeamAllocate {
  Handle heap;
  Sizes sizes;
  Blocks blocks;
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const unsigned i = thread_number(member);
    const std::size_t bytes = sizes(i);
    blocks(i) = {static_cast<unsigned char*>(heap.allocate(member, bytes)), bytes};
    if (blocks(i).data == nullptr) return;
    for (std::size_t b = 0; b < bytes; b = next_byte(b, bytes)) blocks(i).data[b] = stamp(i, b);
  }
};

template <class A>
class TeamConformance : public AllocatorFixture<A> {
 protected:
  using AllocatorFixture<A>::exec_;

  static std::size_t largest(const HeapConfig& config) { return A::promises(config).largest; }

  /// As many threads a team as the backend has, up to `wanted`.
  template <class Functor>
  static int team_size(const Functor& functor, int wanted) {
    return std::min(wanted, TeamPolicy(1, 1).team_size_max(functor, Kokkos::ParallelForTag()));
  }
  /// Odd ones too: nothing may rest on whole warps, or on powers of two.
  static std::vector<int> team_sizes() { return {1, 2, 7, 32, 96, 200, 256}; }

  /// The least multiple of the team's size that is not below `threads`.
  Blocks allocate(const A& heap, unsigned threads, Sizes sizes, int wanted) {
    TeamAllocate<typename A::Handle> ask{heap.handle(), sizes, {}};
    const auto team = static_cast<unsigned>(team_size(ask, wanted));
    const unsigned teams = (threads + team - 1) / team;
    ask.blocks = Blocks("haloheap::test::blocks", std::size_t{teams} * team);
    Kokkos::parallel_for("haloheap::test::team_allocate",
                         TeamPolicy(exec_, static_cast<int>(teams), static_cast<int>(team)), ask);
    return ask.blocks;
  }
};

TYPED_TEST_SUITE(TeamConformance, typename AsTypes<TestedAllocators>::type, Names);

TYPED_TEST(TeamConformance, BlocksDoNotOverlap) {
  TypeParam heap(this->exec_, this->config());
  for (const int team : this->team_sizes())
    for (const std::size_t bytes : {1, 16, 17, 100}) {
      const auto blocks = this->allocate(heap, std::min(many, 60'000U), {bytes, bytes, 0}, team);
      EXPECT_EQ(this->check(blocks), blocks.extent(0)) << bytes << " bytes, teams of " << team;
      this->free(heap, blocks);
      EXPECT_EQ(heap.statistics(this->exec_).in_use, 0U);
    }
  EXPECT_EQ(heap.statistics(this->exec_).failures, 0U);
}

TYPED_TEST(TeamConformance, MixedSizesDoNotOverlap) {
  TypeParam heap(this->exec_, this->config());
  for (const int team : this->team_sizes()) {
    const auto blocks = this->allocate(heap, std::min(many, 20'000U), {0, 1024, 7}, team);
    EXPECT_EQ(this->check(blocks), blocks.extent(0)) << "teams of " << team;
    this->free(heap, blocks);
  }
}

TYPED_TEST(TeamConformance, AFullHeapSaysSoAndRecovers) {
  const auto config = this->config(std::size_t{8} << 20);
  TypeParam heap(this->exec_, config);
  const std::size_t bytes = 900;
  const unsigned threads = 20'000;  // of which some 8000 can have a block
  const auto first = this->allocate(heap, threads, {bytes, bytes, 0}, 32);
  const unsigned served = this->check(first);
  EXPECT_GT(served, threads / 5);
  EXPECT_LT(served, threads / 2);
  EXPECT_EQ(heap.statistics(this->exec_).failures, first.extent(0) - served);
  EXPECT_EQ(this->check(this->allocate(heap, 100, {bytes, bytes, 0}, 32)), 0U);
  this->free(heap, first);
  EXPECT_EQ(heap.statistics(this->exec_).in_use, 0U);
  EXPECT_EQ(this->check(this->allocate(heap, threads, {bytes, bytes, 0}, 32)), served);
}

TYPED_TEST(TeamConformance, ResetForgetsEverything) {
  const auto config = this->config(std::size_t{4} << 20);
  TypeParam heap(this->exec_, config);
  const unsigned served = this->check(this->allocate(heap, 20'000, {256, 256, 0}, 64));
  heap.reset(this->exec_);
  EXPECT_EQ(heap.statistics(this->exec_).in_use, 0U);
  EXPECT_EQ(heap.statistics(this->exec_).failures, 0U);
  EXPECT_EQ(this->check(this->allocate(heap, 20'000, {256, 256, 0}, 64)), served);
}

TYPED_TEST(TeamConformance, ZeroBytesAndTheLargestRequest) {
  const auto config = this->config();
  TypeParam heap(this->exec_, config);
  const auto none = this->allocate(heap, 64, {0, 0, 0}, 32);
  EXPECT_EQ(this->check(none), none.extent(0));
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), none);
  std::vector<unsigned char*> addresses;
  for (std::size_t i = 0; i < host.extent(0); ++i) addresses.push_back(host(i).data);
  std::sort(addresses.begin(), addresses.end());
  EXPECT_EQ(std::unique(addresses.begin(), addresses.end()), addresses.end()) << "each has its own";
  this->free(heap, none);
  heap.reset(this->exec_);
  const std::size_t largest = this->largest(config);
  EXPECT_EQ(this->check(this->allocate(heap, 1, {largest, largest, 0}, 1)), 1U);
  for (const std::size_t bytes : {largest + 1, std::size_t{1} << 40, ~std::size_t{0}, ~std::size_t{0} - 8})
    for (const int team : {1, 32})
      EXPECT_EQ(this->check(this->allocate(heap, 1, {bytes, bytes, 0}, team)), 0U) << bytes;
}

TYPED_TEST(TeamConformance, SeveralHeaps) {
  TypeParam one(this->exec_, this->config(std::size_t{4} << 20));
  TypeParam two(this->exec_, this->config(std::size_t{4} << 20));
  const auto ones = this->allocate(one, 1000, {100, 100, 0}, 32);
  const auto twos = this->allocate(two, 1000, {100, 100, 0}, 32);
  EXPECT_EQ(this->check(ones), ones.extent(0));
  EXPECT_EQ(this->check(twos), twos.extent(0));
  this->free(one, ones);
  EXPECT_EQ(this->check(twos), twos.extent(0));
}

/// All threads of a team allocate together again and again; each gives its blocks back when it likes, and
/// checks them before.
template <class Handle>
struct TeamChurn {
  Handle heap;
  std::size_t maximum;
  unsigned rounds;
  Kokkos::View<unsigned, Exec> wrong;

  KOKKOS_FUNCTION void operator()(const Member& member) const {
    constexpr unsigned held = 8;
    const unsigned thread = thread_number(member);
    unsigned char* blocks[held] = {};
    std::size_t bytes[held] = {};
    unsigned random = thread;
    for (unsigned round = 0; round < rounds + held; ++round) {
      random = lanes::bits::mix(random + 1);
      const unsigned i = round < rounds ? random % held : round - rounds;
      for (std::size_t b = 0; blocks[i] != nullptr && b < bytes[i]; b += 5)
        if (blocks[i][b] != stamp(thread + i, b)) Kokkos::atomic_inc(&wrong());
      heap.deallocate(blocks[i]);
      blocks[i] = nullptr;
      if (round >= rounds) continue;
      bytes[i] = (random >> 8) % (random % 3 == 0 ? maximum : 64) + 1;
      blocks[i] = static_cast<unsigned char*>(heap.allocate(member, bytes[i]));
      for (std::size_t b = 0; blocks[i] != nullptr && b < bytes[i]; b += 5)
        blocks[i][b] = stamp(thread + i, b);
    }
  }
};

TYPED_TEST(TeamConformance, AMillionRandomOperations) {
  TypeParam heap(this->exec_, this->config(std::size_t{64} << 20));
  const Kokkos::View<unsigned, Exec> wrong("haloheap::test::wrong");
  const TeamChurn<typename TypeParam::Handle> churn{heap.handle(), 1024, on_host ? 300U : 100U, wrong};
  for (const int wanted : {1, 32, 96}) {
    const int team = this->team_size(churn, wanted);
    const int teams = (on_host ? 300 : 7000) / team;
    Kokkos::parallel_for("haloheap::test::team_churn", TeamPolicy(this->exec_, teams, team), churn);
    EXPECT_EQ(heap.statistics(this->exec_).in_use, 0U) << "teams of " << team;
  }
  const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), wrong);
  EXPECT_EQ(result(), 0U);
}

}  // namespace
}  // namespace haloheap::allocators

#endif
