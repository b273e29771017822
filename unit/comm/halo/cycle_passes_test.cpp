// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/cycle_passes.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace haloheap::comm {
namespace {

std::vector<int> sizes(int steps, int fused) {
  std::vector<int> result;
  for (int number = 1; number <= detail::pass_count(steps, fused); ++number)
    result.push_back(detail::pass_of(number, steps, fused).steps());
  return result;
}

using PassSizes = std::vector<int>;

TEST(CyclePasses, SplitEvenly) {
  EXPECT_EQ(sizes(4, 3), (PassSizes{2, 2}));
  EXPECT_EQ(sizes(7, 3), (PassSizes{3, 2, 2}));
  EXPECT_EQ(sizes(9, 8), (PassSizes{5, 4}));
  EXPECT_EQ(sizes(8, 3), (PassSizes{3, 3, 2}));
  EXPECT_EQ(sizes(16, 8), (PassSizes{8, 8}));
  EXPECT_EQ(sizes(5, 1), (PassSizes{1, 1, 1, 1, 1}));
  EXPECT_EQ(sizes(3, 8), (PassSizes{3}));  // the last cycle of a run may be shorter than a pass
  EXPECT_EQ(sizes(1, 1), (PassSizes{1}));
}

TEST(CyclePasses, CoverEachStepOnceWithNoMorePassesThanNeeded) {
  for (int steps = 1; steps <= 40; ++steps)
    for (int fused = 1; fused <= 12; ++fused) {
      SCOPED_TRACE(::testing::Message() << steps << " steps, " << fused << " fused");
      const int count = detail::pass_count(steps, fused);
      EXPECT_GE(count * fused, steps);
      EXPECT_LT((count - 1) * fused, steps);
      int done = 0, before = fused;
      for (int number = 1; number <= count; ++number) {
        const detail::Pass pass = detail::pass_of(number, steps, fused);
        EXPECT_EQ(pass.before, done);
        EXPECT_GE(pass.steps(), 1);
        EXPECT_LE(pass.steps(), before) << "the longer ones come first";
        EXPECT_GE(pass.steps(), detail::pass_of(1, steps, fused).steps() - 1) << "they differ by at most one";
        done = pass.after;
        before = pass.steps();
      }
      EXPECT_EQ(done, steps);
    }
}

}  // namespace
}  // namespace haloheap::comm
