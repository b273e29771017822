// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/lanes/emulated_warp.hpp>
#include <haloheap/unit/core/lanes/explorer.hpp>

#include <gtest/gtest.h>

#include <set>

namespace haloheap::emulation {
namespace {

/// Lanes that each mark `marks` places with their own number, which tells the orders apart.
Trial marks(std::vector<unsigned> counts, std::set<std::string>& orders) {
  const auto order = std::make_shared<std::string>();
  Trial trial;
  for (unsigned lane = 0; lane < counts.size(); ++lane)
    trial.lanes.push_back([=] {
      for (unsigned i = 0; i < counts[lane]; ++i) {
        Fibers::running().step();
        order->push_back(static_cast<char>('a' + lane));
      }
    });
  trial.verdict = [=, &orders] {
    orders.insert(*order);
    return std::string();
  };
  return trial;
}

TEST(Explorer, TriesEveryOrder) {
  std::set<std::string> orders;
  const Explored all = explore([&] { return marks({3, 3}, orders); }, {.preemptions = 100});
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(orders.size(), 20U) << "6 over 3";
  orders.clear();
  EXPECT_TRUE(explore([&] { return marks({2, 2, 2}, orders); }, {.preemptions = 100}).complete);
  EXPECT_EQ(orders.size(), 90U) << "6! / 2!^3";
}

TEST(Explorer, InterruptsNoMoreOftenThanAllowed) {
  std::set<std::string> orders;
  EXPECT_TRUE(explore([&] { return marks({3, 3}, orders); }, {.preemptions = 0}).complete);
  EXPECT_EQ(orders, (std::set<std::string>{"aaabbb", "bbbaaa"}));
  EXPECT_TRUE(explore([&] { return marks({3, 3}, orders); }, {.preemptions = 1}).complete);
  EXPECT_EQ(orders.size(), 6U) << "and abbbaa, aabbba and theirs with a for b";
}

TEST(Explorer, SaysWhenItHasNotSeenAll) {
  std::set<std::string> orders;
  const Explored some = explore([&] { return marks({9, 9}, orders); }, {.preemptions = 9, .max_trials = 5});
  EXPECT_FALSE(some.complete);
  EXPECT_EQ(some.trials, 5U);
}

Trial additions(bool atomic) {
  const auto sum = std::make_shared<unsigned>(0);
  const auto add = [=] {
    if (atomic)
      Atomics::fetch_add(sum.get(), 1);
    else
      Atomics::store(sum.get(), Atomics::load(sum.get()) + 1);
  };
  return {{add, add}, [=] { return *sum == 2 ? "" : "an addition is lost"; }};
}

TEST(Explorer, FindsALostAdditionAndTellsHow) {
  EXPECT_EQ(explore([] { return additions(true); }).failure, "");
  const std::string failure = explore([] { return additions(false); }, {.preemptions = 1}).failure;
  EXPECT_EQ(failure.find("an addition is lost\n  fiber 0: load of 0x"), 0U) << failure;
  EXPECT_NE(failure.find("fiber 1: store"), std::string::npos) << failure;
  EXPECT_EQ(explore([] { return additions(false); }, {.preemptions = 0}).failure, "");
}

TEST(Explorer, AWaitingLaneLetsOthersGoOn) {
  const Explored result = explore(
      [] {
        const auto flag = std::make_shared<unsigned>(0);
        return Trial{{[=] {
                        while (Atomics::load(flag.get()) == 0) EmulatedPlatform::pause();
                      },
                      [=] { Atomics::store(flag.get(), 1); }},
                     [] { return std::string(); }};
      },
      {.preemptions = 3, .max_steps = 100});
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.failure, "");
}

TEST(Explorer, ALaneThatWaitsForeverIsAFailure) {
  const auto never = [] {
    return Trial{{[] {
                   for (unsigned flag = 0; Atomics::load(&flag) == 0;) EmulatedPlatform::pause();
                 }},
                 [] { return std::string(); }};
  };
  const std::string failure = explore(never, {.max_steps = 50}).failure;
  EXPECT_NE(failure.find("no end after 50 steps"), std::string::npos) << failure;
}

TEST(Explorer, StopsTheFirstLaneAtEachOfItsPlaces) {
  std::set<std::string> orders;
  const Explored two = explore_stops([&] { return marks({3, 2}, orders); });
  EXPECT_TRUE(two.complete);
  EXPECT_EQ(orders, (std::set<std::string>{"bbaaa", "abbaa", "aabba", "aaabb"}));
  EXPECT_EQ(two.trials, 4U);
  orders.clear();
  EXPECT_TRUE(explore_stops([&] { return marks({2, 1, 2}, orders); }).complete);
  EXPECT_EQ(orders, (std::set<std::string>{"bccaa", "bacca", "baacc", "abcca", "abacc", "aabcc"}));
}

TEST(Explorer, WhoWaitsForAStoppedLaneWaitsInVain) {
  const auto flag_of_the_first = [] {
    const auto flag = std::make_shared<unsigned>(0);
    return Trial{{[=] { Atomics::store(flag.get(), 1); },
                  [=] {
                    while (Atomics::load(flag.get()) == 0) EmulatedPlatform::pause();
                  }},
                 [] { return std::string(); }};
  };
  const Explored result = explore_stops(flag_of_the_first, {.max_steps = 50});
  EXPECT_EQ(result.failure.find("stops before operations 0: no end after 50 steps"), 0U) << result.failure;
  const Explored in_the_end = explore_stops(flag_of_the_first, {.max_steps = 50, .max_pauses = 10});
  EXPECT_TRUE(in_the_end.complete);
  EXPECT_EQ(in_the_end.failure, "");
}

}  // namespace
}  // namespace haloheap::emulation
