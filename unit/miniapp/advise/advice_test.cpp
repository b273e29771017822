// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/transfer/mode.hpp>
#include <haloheap/miniapp/advise/advice.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace haloheap::advise {
namespace {

TEST(Advice, ChoosesKeysThatTheProblemUses) {
  const deck::Deck any(app_schema());
  for (const ProblemEntry& problem : problems()) {
    const auto keys = advised_keys(any.with({{"problem", problem.name}}));
    const deck::Schema used = schema_of(problem);
    EXPECT_EQ(keys.empty(), problem.advice == AdviceKind::none) << problem.name;
    for (const std::string& key : keys) EXPECT_NE(used.find(key), nullptr) << problem.name << ": " << key;
    // Nobody who has a halo or an allocator is left out.
    for (const char* key : {"halo.depth", "allocator.name"})
      EXPECT_EQ(std::find(keys.begin(), keys.end(), key) != keys.end(), used.find(key) != nullptr)
          << problem.name << ": " << key;
  }
}

TEST(Advice, HasTheFirstOfEachListInThePlaceOfAuto) {
  const auto text = [](const char* value) { return std::string(value); };
  const deck::Deck open = deck::Deck(app_schema())
                              .with({{"transfer.mode", text("auto")},
                                     {"transfer.streams", deck::automatic},
                                     {"halo.exchange", text("auto")},
                                     {"halo.depth", deck::automatic},
                                     {"allocator.name", text("auto")}});
  const deck::Deck chosen = without_auto(open);
  EXPECT_EQ(chosen.get<std::string>("transfer.mode"), transfer::modes().front().name);
  EXPECT_EQ(chosen.get<std::int64_t>("transfer.streams"), 1);
  EXPECT_EQ(chosen.get<std::string>("halo.exchange"), "sync");
  EXPECT_EQ(chosen.get<std::int64_t>("halo.depth"), 1);
  EXPECT_EQ(chosen.get<std::string>("allocator.name"), all_allocators().front());
}

}  // namespace
}  // namespace haloheap::advise
