// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/lanes/emulated_warp.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace haloheap::emulation {
namespace {

/// What a run fails with; empty if it does not.
std::string failure(Grid grid, unsigned seed, const std::function<void(unsigned)>& kernel,
                    std::uint64_t max_steps = Fibers::default_steps) {
  RandomSchedule schedule(seed);
  try {
    run_warps(grid, schedule, kernel, max_steps);
  } catch (const Failure& error) {
    return error.what();
  }
  return "";
}

TEST(EmulatedWarp, CollectivesGiveWhatAWarpGives) {
  for (unsigned seed = 0; seed < 50; ++seed)
    EXPECT_EQ(failure({3, 32}, seed,
                      [](unsigned thread) {
                        const Lanes lanes = Lanes::here();
                        const Lanes::Mask mask = lanes.mask();
                        EXPECT_EQ(lanes.lane(), thread % 32);
                        EXPECT_NE(mask >> lanes.lane() & 1, 0U);
                        EXPECT_EQ(lanes.ballot(thread % 3 == 0) & ~mask, 0U);
                        EXPECT_EQ(lanes.ballot(true), mask);
                        EXPECT_EQ(lanes.rank(), std::popcount(mask & ((1U << lanes.lane()) - 1)));
                        EXPECT_EQ(lanes.with_rank(lanes.rank()), lanes.lane());
                        EXPECT_EQ(lanes.whole().mask(), mask);
                        const unsigned first = static_cast<unsigned>(std::countr_zero(mask));
                        EXPECT_EQ(lanes.shuffle(thread, first), thread / 32 * 32 + first);
                        EXPECT_EQ(lanes.shuffle(static_cast<short>(thread), lanes.lane()), short(thread));
                        EXPECT_EQ(lanes.match(thread % 2),
                                  mask & (thread % 2 == 0 ? 0x55555555U : 0xaaaaaaaaU));
                        EXPECT_EQ(lanes.reduce_or(std::uint64_t{1} << (lanes.lane() + 20)),
                                  std::uint64_t{mask} << 20);
                        lanes.sync();
                      }),
              "");
}

TEST(EmulatedWarp, GroupsAreOfAllSizesAndChange) {
  std::set<int> sizes;
  bool changed = false;
  for (unsigned seed = 0; seed < 50; ++seed)
    EXPECT_EQ(failure({1, 32}, seed,
                      [&](unsigned) {
                        const Lanes::Mask first = Lanes::here().mask();
                        sizes.insert(std::popcount(first));
                        if (Lanes::here().mask() != first) changed = true;
                      }),
              "");
  EXPECT_TRUE(changed);
  EXPECT_GT(sizes.size(), 16U);
  EXPECT_EQ(*sizes.begin(), 1);
  EXPECT_EQ(*sizes.rbegin(), 32);
}

TEST(EmulatedWarp, LanesAtDifferentPlacesDoNotMeet) {
  const auto kernel = [](unsigned thread) {  // not inside a macro, where all is one place
    if (thread % 2 == 1)
      EXPECT_EQ(Lanes::here().mask() & 0x55555555U, 0U);
    else
      EXPECT_EQ(Lanes::here().mask() & 0xaaaaaaaaU, 0U);
  };
  for (unsigned seed = 0; seed < 50; ++seed) EXPECT_EQ(failure({1, 32}, seed, kernel), "");
}

TEST(EmulatedWarp, TheSameSeedIsTheSameOrder) {
  const auto order = [](unsigned seed) {
    std::vector<unsigned> result;
    EXPECT_EQ(failure({2, 8}, seed,
                      [&](unsigned thread) {
                        for (int i = 0; i < 10; ++i) {
                          Fibers::running().step();
                          result.push_back(thread);
                        }
                      }),
              "");
    return result;
  };
  EXPECT_EQ(order(7), order(7));
  EXPECT_NE(order(7), order(8));
}

TEST(EmulatedWarp, OthersRunBetweenTheStepsOfAnAddition) {
  const auto sum = [](unsigned seed, bool atomic) {
    unsigned counter = 0;
    EXPECT_EQ(failure({2, 4}, seed,
                      [&](unsigned) {
                        if (atomic)
                          Atomics::fetch_add(&counter, 1);
                        else
                          Atomics::store(&counter, Atomics::load(&counter) + 1);
                      }),
              "");
    return counter;
  };
  unsigned lost = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(sum(seed, true), 8U);
    lost += 8 - sum(seed, false);
  }
  EXPECT_GT(lost, 0U);
}

/// A failure of the first seed for which all lanes of a warp of two meet.
std::string together(const std::function<void(const Lanes&)>& kernel) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    bool met = false;
    const std::string text = failure({1, 2}, seed, [&](unsigned) {
      const Lanes lanes = Lanes::here();
      if (lanes.mask() != 3) return;
      met = true;
      kernel(lanes);
    });
    if (met) return text;
  }
  return "they never met";
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(EmulatedWarp, SeesMisuse) {
  const auto first = [](const Lanes& lanes) { return lanes.lane() == 0; };
  std::string text =
      together([&](const Lanes& lanes) { first(lanes) ? lanes.sync() : void(lanes.ballot(true)); });
  EXPECT_TRUE(says(text, "lane 0 calls sync where lane 1 waits in ballot") ||
              says(text, "lane 1 calls ballot where lane 0 waits in sync"))
      << text;
  text = together([&](const Lanes& lanes) { lanes.shuffle(1, first(lanes) ? 1 : 2); });
  EXPECT_TRUE(says(text, "lane 1 asks for the value of lane 2, which is not of its group 0x3")) << text;
  text = together([&](const Lanes& lanes) {
    if (first(lanes)) lanes.sync();
  });
  EXPECT_TRUE(says(text, "lane 1 ends where lane 0 waits in sync") ||
              says(text, "lane 0 calls sync with lane 1, which has ended"))
      << text;
  EXPECT_EQ(together([](const Lanes& lanes) { lanes.sync(); }), "");
}

TEST(EmulatedWarp, SeesLanesThatWaitForEachOther) {
  EXPECT_TRUE(says(together([](const Lanes&) { Fibers::running().block(); }), "wait for each other"));
}

TEST(EmulatedWarp, SeesALaneThatHangs) {
  const unsigned flag = 0;
  const std::string text = failure(
      {1, 2}, 5,
      [&](unsigned thread) {
        while (thread == 0 && Atomics::load(&flag) == 0) EmulatedPlatform::pause();
      },
      1000);
  EXPECT_TRUE(says(text, "seed 5: no end after 1000 steps")) << text;
}

TEST(EmulatedWarp, HandsOnWhatALaneThrows) {
  const std::string text = failure({2, 32}, 9, [](unsigned thread) {
    Lanes::here().sync();
    if (thread == 40) throw std::runtime_error("enough");
  });
  EXPECT_EQ(text, "seed 9: enough");
}

}  // namespace
}  // namespace haloheap::emulation
