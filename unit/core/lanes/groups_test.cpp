// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Groups of lanes that come and go in a loop, as allocators are called from divergent code.
#include <haloheap/core/lanes/group.hpp>
#include <haloheap/core/lanes/platform.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace haloheap::lanes {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

/// The first lane of a group works on something while the others wait for what it says; the first four of a
/// group leave the loop, the others form another group. Counts the lanes that heard something else.
struct ComeAndGo {
  const std::uint32_t* zeros;  ///< 4096
  std::uint32_t* shared;       ///< 4096 zeros, that stay so
  unsigned long long* wrong;

  KOKKOS_FUNCTION void operator()(int thread) const {
    std::uint32_t random = bits::mix(static_cast<std::uint32_t>(thread) * 77 + 5);
    unsigned long long bad = 0;
    for (int row = 0; row < 40; ++row) {
      random = bits::mix(random + 1);
      for (unsigned k = random % 7; k > 0; --k) random = bits::mix(random + zeros[random % 4096]);
      if (random % 3 != 0) ask(random, bad);
    }
    if (bad > 0) Kokkos::atomic_add(wrong, bad);
  }

 private:
  KOKKOS_FUNCTION void ask(std::uint32_t& random, unsigned long long& bad) const {
    for (;;) {
      const auto lanes = Platform::Lanes::here();
      const auto mask = static_cast<std::uint32_t>(lanes.mask());
      const unsigned leader = bits::lowest(lanes.mask());
      std::uint32_t first = 7, second = 9;
      int more = 1;
      if (lanes.lane() == leader) {
        first = bits::mix(mask);
        second = bits::mix(first + leader);
        for (unsigned k = 0; k < first % 5; ++k)
          random = bits::mix(random + Kokkos::atomic_fetch_add(&shared[random % 4096], 0U));
        more = random == 123456789U ? 0 : 1;
      }
      const std::uint32_t heard = lanes.shuffle(first, leader), also = lanes.shuffle(second, leader);
      const int goes_on = lanes.shuffle(more, leader);
      if (heard != bits::mix(mask) || also != bits::mix(heard + leader)) ++bad;
      if (group::rank(lanes) < 4) return;
      if (goes_on == 0) {
        ++bad;
        return;
      }
    }
  }
};

TEST(Groups, HearTheirFirstLaneInDivergentLoops) {
  constexpr std::size_t cells = 4096;
  const Kokkos::View<std::uint32_t*, Exec> zeros("haloheap::test::zeros", cells),
      shared("haloheap::test::shared", cells);
  const Kokkos::View<unsigned long long, Exec> wrong("haloheap::test::wrong");
  Kokkos::parallel_for("haloheap::test::come_and_go",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(0, 1 << 16),
                       ComeAndGo{zeros.data(), shared.data(), wrong.data()});
  unsigned long long count = 0;
  Kokkos::deep_copy(count, wrong);
  EXPECT_EQ(count, 0U);
}

/// Counts lanes of whole warps, and those that whole() tells something else than their group.
struct CompareWithTheWhole {
  std::uint32_t pattern;  ///< which lanes of a warp call

  KOKKOS_FUNCTION static int width() {
    KOKKOS_IF_ON_DEVICE((return 32;))
    KOKKOS_IF_ON_HOST((return 1;))
  }

  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& met, unsigned& wrong) const {
    if ((pattern >> i % 32 & 1) == 0) return;
    const auto lanes = Platform::Lanes::here();
    if (lanes.rank() != group::rank(lanes)) ++wrong;
    if (lanes.is_whole() != (bits::count(lanes.mask()) == width())) ++wrong;
    if (!lanes.is_whole()) return;
    ++met;
    const auto whole = lanes.whole();
    const std::uint32_t value = bits::mix(i);
    const unsigned other = value % static_cast<unsigned>(width());
    if (whole.mask() != lanes.mask() || whole.lane() != lanes.lane() || whole.rank() != lanes.rank()) ++wrong;
    if (!whole.is_whole() || whole.with_rank(whole.rank()) != whole.lane()) ++wrong;
    if (whole.ballot(value % 3 == 0) != lanes.ballot(value % 3 == 0)) ++wrong;
    if (whole.shuffle(value, other) != lanes.shuffle(value, other)) ++wrong;
    if (whole.match(value % 4) != lanes.match(value % 4)) ++wrong;
    if (whole.reduce_or(value & 0x11111111U) != lanes.reduce_or(value & 0x11111111U)) ++wrong;
    const std::uint64_t wide = std::uint64_t{value} << 20 & 0x1111111111111U;
    if (whole.reduce_or(wide) != lanes.reduce_or(wide)) ++wrong;
  }
};

TEST(Groups, OfWholeWarpsSayTheSameAsAnyOthers) {
  for (const std::uint32_t pattern : {~0U, 1U, 1U << 31, 0x7fffffffU, 0x55555555U}) {
    unsigned met = 0, wrong = 0;
    Kokkos::parallel_reduce("haloheap::test::whole",
                            Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>(0, 1000),
                            CompareWithTheWhole{pattern}, met, wrong);
    EXPECT_EQ(wrong, 0U) << std::hex << pattern;
    if (pattern == ~0U) {
      EXPECT_GT(met, 0U);
    }
  }
}

/// One lane, as far as exchange() asks.
struct OneOf {
  using Mask = std::uint32_t;
  unsigned number;
  KOKKOS_FUNCTION unsigned lane() const { return number; }
};

TEST(Groups, ExchangeInTheOrderOfLanes) {
  for (std::uint32_t round = 0; round < 1000; ++round) {
    // Few of many, many of few, none, and lanes that have and need.
    const std::uint32_t has = bits::mix(round) & (round % 3 == 0 ? bits::mix(round + 7) : ~0U);
    const std::uint32_t need =
        round % 10 == 9 ? 0 : bits::mix(round + 13) & (round % 2 == 0 ? 0x00ff00f0U : ~0U);
    const int pairs = std::min(bits::count(has), bits::count(need));
    int givers = 0, receivers = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const auto [gives, receives, from] = group::exchange(OneOf{lane}, has, need);
      const bool first_of_has = (has >> lane & 1) != 0 && givers < pairs;
      const bool first_of_need = (need >> lane & 1) != 0 && receivers < pairs;
      ASSERT_EQ(gives, first_of_has);
      ASSERT_EQ(receives, first_of_need);
      ASSERT_EQ(from, receives ? group::nth(has, static_cast<unsigned>(receivers)) : lane);
      givers += gives ? 1 : 0;
      receivers += receives ? 1 : 0;
    }
    ASSERT_EQ(givers, pairs);
    ASSERT_EQ(receivers, pairs);
  }
}

}  // namespace
}  // namespace haloheap::lanes
