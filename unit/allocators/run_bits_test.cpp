// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/random_walk/probe.hpp>
#include <haloheap/allocators/random_walk/run_bits.hpp>
#include <haloheap/core/lanes/group.hpp>

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace haloheap::allocators {
namespace {

/// Bit by bit. The pages after the word are free up to number 64 + after.
std::uint64_t plain_starts(std::uint64_t free, unsigned n, unsigned after) {
  std::uint64_t result = 0;
  for (unsigned start = 0; start < 64; ++start) {
    bool fits = true;
    for (unsigned page = start; page < start + n; ++page)
      fits = fits && (page < 64 ? (free >> page & 1) != 0 : page < 64 + after);
    if (fits) result |= std::uint64_t{1} << start;
  }
  return result;
}

TEST(RunBits, RunsStartAtAnyBitAndCrossTheEnd) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 20'000; ++trial) {
    std::uint64_t free = random() | random() | (trial % 2 == 0 ? random() : 0);
    if (trial % 5 == 0) free = ~std::uint64_t{0} << random() % 64;
    if (trial % 7 == 0) free = ~std::uint64_t{0} >> random() % 64;
    const unsigned n = trial % 3 == 0 ? 1 + random() % 130 : 1 + random() % 12;
    const unsigned after = n == 1 ? 0 : static_cast<unsigned>(random() % n);
    ASSERT_EQ(detail::run_bits::starts(free, n, after), plain_starts(free, n, after))
        << free << ' ' << n << ' ' << after;
  }
  for (const unsigned n : {1U, 2U, 31U, 32U, 33U, 63U, 64U, 65U, 128U, 200U})
    for (const unsigned after : {0U, 1U, n - 1}) {
      EXPECT_EQ(detail::run_bits::starts(~std::uint64_t{0}, n, after),
                plain_starts(~std::uint64_t{0}, n, after))
          << n;
      EXPECT_EQ(detail::run_bits::starts(0, n, after), 0U);
    }
}

TEST(RunBits, MultiplesAreTheNumbersThatNDivides) {
  for (std::uint32_t word = 0; word < 40; ++word)
    for (unsigned n = 1; n < 150; ++n)
      for (unsigned bit = 0; bit < 64; ++bit)
        ASSERT_EQ(detail::run_bits::multiples(word * 64, n) >> bit & 1, (word * 64 + bit) % n == 0 ? 1U : 0U);
}

TEST(RunBits, PartsOfARunAreItsPages) {
  for (const std::uint32_t first : {0U, 1U, 31U, 32U, 63U, 64U, 100U})
    for (const std::uint32_t n : {1U, 32U, 33U, 63U, 64U, 65U, 128U, 129U}) {
      std::set<std::uint32_t> pages;
      for (std::uint32_t done = 0; done < n;) {
        const detail::run_bits::Part part = detail::run_bits::part(first + done, n - done);
        EXPECT_EQ(static_cast<unsigned>(lanes::bits::count(part.bits)), part.pages);
        for (unsigned bit = 0; bit < 64; ++bit)
          if ((part.bits >> bit & 1) != 0) pages.insert(part.word * 64 + bit);
        done += part.pages;
      }
      EXPECT_EQ(pages.size(), n);
      EXPECT_EQ(*pages.begin(), first);
      EXPECT_EQ(*pages.rbegin(), first + n - 1);
    }
}

TEST(Group, NthFindsTheSetBits) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 1000; ++trial) {
    const std::uint32_t mask = random() & (trial % 2 == 0 ? random() : ~0U);
    unsigned rank = 0;
    for (unsigned bit = 0; bit < 32; ++bit)
      if ((mask >> bit & 1) != 0) {
        EXPECT_EQ(lanes::group::nth(mask, rank++), bit);
      }
  }
}

// The reference code's generator sends all 32 lanes to one word of up to 2^15.
TEST(LaneRandom, LanesOfAWarpProbeDifferentWords) {
  for (const std::uint32_t pages : {1U << 17, 1U << 20, 1U << 25})
    for (std::uint32_t entropy = 0; entropy < 64 << 14; entropy += 1 << 14) {
      std::set<std::uint32_t> words;
      for (unsigned lane = 0; lane < 32; ++lane) {
        lanes::LaneRandom random(entropy, lane);
        words.insert(detail::random_probe(random, pages, 32).number);
      }
      EXPECT_GE(words.size(), 28U);  // of 4096 words 32 that are all different are what one expects
    }
}

TEST(LaneRandom, WordsAreEquallyLikelyForLanesAndForStepsAndLowBitsHaveNoPeriod) {
  constexpr unsigned words = 64, draws = 200'000;
  for (const bool one_lane : {false, true}) {
    std::vector<unsigned> seen(words), pairs(words * words);
    lanes::LaneRandom same(7, 3);
    for (unsigned i = 0; i < draws; ++i) {
      lanes::LaneRandom other(i / 32, i % 32);
      lanes::LaneRandom& random = one_lane ? same : other;
      const unsigned first = detail::random_probe(random, words * 64, 64).word;
      ++seen[first];
      ++pairs[first * words + detail::random_probe(random, words * 64, 64).word];
    }
    const auto chi = [](const std::vector<unsigned>& counts) {
      double sum = 0, expected = double{draws} / static_cast<double>(counts.size());
      for (const unsigned count : counts) sum += (count - expected) * (count - expected) / expected;
      return sum / static_cast<double>(counts.size() - 1);
    };
    EXPECT_NEAR(chi(seen), 1, 0.9);    // 5 standard deviations of 63 degrees of freedom
    EXPECT_NEAR(chi(pairs), 1, 0.12);  // of 4095
  }
}

TEST(Probe, SeesEveryPageOnce) {
  constexpr std::uint32_t pages = 1000;
  for (const unsigned word_bits : {32U, 64U}) {
    lanes::LaneRandom random(1, 1);
    std::set<std::uint32_t> numbers;
    std::uint64_t bits[16] = {};
    for (int i = 0; i < 2000; ++i) {
      const detail::Probe probe = detail::random_probe(random, pages, word_bits);
      ASSERT_LT(probe.word, 16U);
      EXPECT_EQ(static_cast<unsigned>(lanes::bits::count(probe.bits)), word_bits);
      numbers.insert(probe.number);
      bits[probe.word] |= probe.bits;
    }
    EXPECT_EQ(numbers.size(), (pages + word_bits - 1) / word_bits);
    for (const std::uint64_t word : bits) EXPECT_EQ(word, ~std::uint64_t{0});
  }
}

}  // namespace
}  // namespace haloheap::allocators
