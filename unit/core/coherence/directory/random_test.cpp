// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/random_operations.hpp>
#include <haloheap/unit/core/coherence/directory/search.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence::test {
namespace {

class CoherenceRandom : public testing::TestWithParam<std::string> {};

TEST_P(CoherenceRandom, UsesSeeTheTruthInAllKindsOfWorlds) {
  std::vector<Setting> settings = all_settings();
  std::erase_if(settings, [](const Setting& setting) { return setting.policy != GetParam(); });
  ASSERT_EQ(settings.size(), 32U);
  const auto failure = search(settings, HALOHEAP_COHERENCE_SEEDS, 400);
  EXPECT_FALSE(failure) << failure->code();
}

/// Dependences are all that counts: whatever is done first, uses see the same.
TEST_P(CoherenceRandom, TheOrderOfWorkDoesNotMatter) {
  Setting setting{GetParam(), Peers::ring, 3, 1, 8, 2, 14, true, 0, 4};
  const std::vector<Operation> operations = random_operations(setting, 200, 7);
  for (setting.seed = 0; setting.seed < 60; ++setting.seed) {
    const auto failure = run(setting, operations);
    ASSERT_FALSE(failure) << failure->code();
  }
}

INSTANTIATE_TEST_SUITE_P(All, CoherenceRandom, testing::ValuesIn(policies().names()),
                         [](const auto& policy) { return policy.param; });

}  // namespace
}  // namespace haloheap::coherence::test
