// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/directory.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence {
namespace {

constexpr Memory gpu = memory_of_device(0);

class CoherenceEviction : public testing::TestWithParam<std::string> {
 protected:
  detail::Use use(detail::ObjectId object, const Rect& rect, Access access = Access::read) {
    const detail::Use use = directory.acquire({object, rect, gpu, access});
    steps = directory.plan().steps;
    directory.finish(use);
    return use;
  }
  /// The rectangles that the last use has removed, in this order.
  std::vector<Rect> removed() const {
    std::vector<Rect> rects;
    for (const detail::Step& step : steps)
      if (step.kind == detail::Step::Kind::release) rects.push_back(step.rect);
    return rects;
  }

  detail::Directory directory{MemoryTopology(1, false, 10), GetParam()};
  detail::ObjectId v = directory.add({1, 20, 1, "v", true}), w = directory.add({1, 20, 1, "w", true});
  std::vector<detail::Step> steps;
};

TEST_P(CoherenceEviction, TheLeastRecentlyUsedCopiesOfAllContainersGo) {
  use(v, range(0, 3));
  use(w, range(0, 4));
  use(v, range(5, 8));
  use(v, range(0, 3));  // used again
  use(w, range(10, 14));
  EXPECT_EQ(removed(), (std::vector<Rect>{range(0, 4)}));
  use(v, range(12, 20));
  EXPECT_EQ(removed(), (std::vector<Rect>{range(5, 8), range(0, 3), range(10, 14)}));
  EXPECT_EQ(directory.statistics().evictions, (Amount{4, 14}));
  EXPECT_EQ(directory.statistics(w).evictions, (Amount{2, 8}));
}

TEST_P(CoherenceEviction, WhatFitsRemovesNothing) {
  use(v, range(0, 6));
  use(w, range(0, 4));
  EXPECT_TRUE(removed().empty());
  EXPECT_EQ(directory.statistics().evictions, Amount());
}

TEST_P(CoherenceEviction, WhatOnlyTheDeviceHasIsWrittenBackFirst) {
  use(v, range(0, 8), Access::write);
  use(w, range(0, 8), Access::write);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].kind, detail::Step::Kind::copy);
  EXPECT_EQ(steps[0].to, directory.state().object(v).main);
  EXPECT_EQ(steps[0].rect, range(0, 8));
  EXPECT_EQ(steps[1].kind, detail::Step::Kind::release);
  EXPECT_EQ(steps[2].kind, detail::Step::Kind::allocate);
  EXPECT_NE(steps[2].to, steps[1].to) << "who carries the plan out still looks up what goes";
}

TEST_P(CoherenceEviction, WhatTheHostHasIsNotWrittenBack) {
  use(v, range(0, 8));
  use(w, range(0, 8), Access::write);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].kind, detail::Step::Kind::release);
}

TEST_P(CoherenceEviction, ACopyInUseStays) {
  const detail::Use held = directory.acquire({v, range(0, 4), gpu, Access::read});
  use(w, range(0, 4));
  use(w, range(8, 13));
  EXPECT_EQ(removed(), (std::vector<Rect>{range(0, 4)}));
  EXPECT_TRUE(directory.state().copy(held.copy).live);
  EXPECT_EQ(directory.state().copy(held.copy).object, v);
  directory.finish(held);
  use(w, range(2, 7));
  EXPECT_EQ(removed(), (std::vector<Rect>{range(0, 4)})) << "and goes when the use is over";
}

/// Or it would be lost with the next write on the host.
TEST_P(CoherenceEviction, TheReleaseWaitsForTheWriteBack) {
  use(v, range(0, 8), Access::write);
  directory.acquire({w, range(0, 8), gpu, Access::write});
  const detail::Plan& plan = directory.plan();
  const auto after = plan.dependences(plan.steps[1].after);
  EXPECT_NE(std::find(after.begin(), after.end(), plan.steps[0].ticket), after.end());
}

std::vector<std::string> policies_with_results() {
  std::vector<std::string> names;
  for (const PolicyEntry& policy : policies())
    if (policy.keeps_results) names.push_back(policy.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, CoherenceEviction, testing::ValuesIn(policies_with_results()),
                         [](const auto& policy) { return policy.param; });

/// Two devices have it: one copy may go, and nothing is moved until the last.
TEST(CoherenceRegionEviction, WhatAnotherDeviceHasIsNotWrittenBack) {
  detail::Directory directory(MemoryTopology(2, true, 8), "region");
  const detail::ObjectId v = directory.add({1, 8, 1, "v", true}), w = directory.add({1, 8, 1, "w", true});
  const auto use = [&](detail::ObjectId object, Memory memory, Access access) {
    directory.finish(directory.acquire({object, range(0, 8), memory, access}));
  };
  use(v, 1, Access::write);
  use(v, 2, Access::read);
  use(w, 1, Access::write);
  EXPECT_EQ(directory.statistics().to_host(), 0U);
  use(w, 2, Access::read);
  EXPECT_EQ(directory.statistics().to_host(), 8U);
}

}  // namespace
}  // namespace haloheap::coherence
