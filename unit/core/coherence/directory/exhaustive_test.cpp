// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/exhaustive.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence::test {
namespace {

class CoherenceExhaustive : public testing::TestWithParam<std::tuple<std::string, Peers>> {};

TEST_P(CoherenceExhaustive, AllShortSequencesOfUsesOfThreeElementsOnTwoDevices) {
  const Setting setting{std::get<0>(GetParam()), std::get<1>(GetParam()), 2, 1, 3, 1, unlimited, false, 0};
  const std::vector<Operation> uses = all_uses(setting);
  ASSERT_EQ(uses.size(), 54U);
  const Explored explored = explore(setting, uses, HALOHEAP_COHERENCE_LENGTH);
  EXPECT_FALSE(explored.failure) << explored.failure->code();
  RecordProperty("states", static_cast<int>(explored.states));
  RecordProperty("sequences", static_cast<int>(explored.sequences));
  // Where nothing is remembered, all sequences lead to the same.
  EXPECT_EQ(explored.states > 1, setting.entry().keeps_operands);
}

INSTANTIATE_TEST_SUITE_P(All, CoherenceExhaustive,
                         testing::Combine(testing::ValuesIn(policies().names()),
                                          testing::Values(Peers::none, Peers::all)));

}  // namespace
}  // namespace haloheap::coherence::test
