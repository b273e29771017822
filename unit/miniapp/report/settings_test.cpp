// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/settings.hpp>

#include <gtest/gtest.h>

namespace haloheap::report {
namespace {

TEST(Settings, finds_a_key_or_nothing) {
  const Settings settings = {{"halo.depth", std::int64_t{4}}, {"verify", true}};
  ASSERT_NE(find(settings, "halo.depth"), nullptr);
  EXPECT_EQ(*find(settings, "halo.depth"), deck::Value(std::int64_t{4}));
  EXPECT_EQ(find(settings, "halo"), nullptr);
  EXPECT_EQ(find({}, "halo.depth"), nullptr);
}

TEST(Settings, are_a_label_in_their_order) {
  EXPECT_EQ(label_of({{"halo.depth", std::int64_t{4}},
                      {"halo.exchange", std::string("sync")},
                      {"grid.size", std::vector<std::int64_t>{5, 7}}}),
            "halo.depth=4 halo.exchange=sync grid.size=[5, 7]");
  EXPECT_EQ(label_of({}), "");
}

}  // namespace
}  // namespace haloheap::report
