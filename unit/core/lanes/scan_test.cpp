// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/lanes/scan.hpp>

#include <gtest/gtest.h>

namespace haloheap::lanes {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

/// Counts lanes whose sum is not that of a loop over all lanes below. `pattern`: which lanes of a warp call.
struct CompareWithALoop {
  std::uint32_t pattern;
  unsigned seed;

  template <class T>
  KOKKOS_FUNCTION bool right(T value) const {
    const auto lanes = Platform::Lanes::here();
    const T sum = exclusive_sum(lanes, value);
    T expected = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((lanes.mask() >> lane & 1) == 0) continue;
      const T other = lanes.shuffle(value, lane);
      if (lane < lanes.lane()) expected += other;
    }
    return sum == expected;
  }

  KOKKOS_FUNCTION void operator()(unsigned i, unsigned& wrong) const {
    if ((pattern >> i % 32 & 1) == 0) return;
    const std::uint32_t value = bits::mix(i ^ seed);
    if (!right(value)) ++wrong;
    if (!right(std::uint64_t{value} << 20)) ++wrong;
  }
};

TEST(ExclusiveSum, OfWholeWarpsAndOfAnyOthers) {
  for (std::uint32_t n = 0; n < 300; ++n) {
    const std::uint32_t mixed = bits::mix(n);
    // Random masks, sparse and dense ones, the first so many lanes, one lane, all.
    const std::uint32_t patterns[] = {mixed,
                                      mixed & bits::mix(~n),
                                      mixed | bits::mix(~n),
                                      bits::low<std::uint32_t>(n % 32 + 1),
                                      1U << n % 32,
                                      ~0U,
                                      ~0U << n % 32};
    unsigned wrong = 0;
    const std::uint32_t pattern = patterns[n % std::size(patterns)];
    Kokkos::parallel_reduce("haloheap::test::scan",
                            Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>(0, 500),
                            CompareWithALoop{pattern, n}, wrong);
    EXPECT_EQ(wrong, 0U) << std::hex << pattern;
  }
}

}  // namespace
}  // namespace haloheap::lanes
