// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/directory/random_operations.hpp>
#include <haloheap/unit/core/coherence/directory/search.hpp>
#include <haloheap/unit/core/coherence/directory/world.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence::test {
namespace {

/// Two operands of one call, of which one is written and overlaps the other: the directory refuses that.
const Operation wrong{Operation::Kind::together,
                      {0, range(1, 6), device(0), Access::read_write},
                      {0, range(3, 8), device(1), Access::read_write},
                      0,
                      true};

TEST(CoherenceShrink, LeavesWhatIsNeededOfALongSequence) {
  const Setting setting{"paper", Peers::all, 3, 1, 8, 2, unlimited, false, 0};
  std::vector<Operation> operations = random_operations(setting, 150, 3);
  std::erase_if(operations, [](const Operation& o) {
    return o.kind == Operation::Kind::resize || o.kind == Operation::Kind::open;
  });
  operations.insert(operations.begin() + 100, wrong);
  const auto failure = run(setting, operations);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->operations.size(), 101U) << "nothing after the failure is done";
  const Failure small = shrink(*failure);
  ASSERT_EQ(small.operations.size(), 1U) << small.code();
  EXPECT_EQ(small.operations[0].kind, Operation::Kind::together);
  EXPECT_EQ(small.operations[0].first.rect.elements(), 1);
  EXPECT_EQ(small.operations[0].second.rect, small.operations[0].first.rect);
}

TEST(CoherenceShrink, PrintsTheBodyOfATest) {
  Failure failure;
  failure.setting = {"region", Peers::one_way, 2, 4, 8, 2, 14, true, 3, 4, 1};
  failure.what = "I1: lost";
  failure.operations.push_back(wrong);
  failure.operations.push_back({Operation::Kind::use, {1, {0, 2, 3, 4}, host, Access::write}, {}, 2, false});
  failure.operations.push_back({Operation::Kind::direct, {0, range(0, 1), host, Access::read}, {}, 0, false});
  failure.operations.push_back(
      {Operation::Kind::resize, {1, {0, 3, 0, 4}, host, Access::read}, {}, 0, false});
  failure.operations.push_back({Operation::Kind::open, {0, range(2, 3), host, Access::write}, {}, 0, true});
  failure.operations.push_back({Operation::Kind::close, {}, {}, 0, false, 2});
  failure.operations.push_back({Operation::Kind::flush, {}, {}, 0, false});
  EXPECT_EQ(
      failure.code(),
      "// I1: lost\n"
      "World world({.policy = \"region\", .peers = Peers::one_way, .devices = 2, .rows = 4, .columns = 8, "
      ".objects = 2, .capacity = 14, .deferred = true, .seed = 3, .host_grain = 4, .max_pieces = 1});\n"
      "world.together({0, range(1, 6), device(0), Access::read_write}, "
      "{0, range(3, 8), device(1), Access::read_write}, true);\n"
      "world.use(host, Access::write, Rect{0, 2, 3, 4}, 1, 2);\n"
      "world.direct(Access::read, range(0, 1));\n"
      "world.resize(3, 4, 1);\n"
      "world.open({0, range(2, 3), host, Access::write}, true);\n"
      "world.close(2);\n"
      "world.flush(0);\n"
      "world.end();\n");
}

TEST(CoherenceShrink, PrintsTheSettingsThatAreNotTheDefaults) {
  Setting setting{"region", Peers::all, 1, 1, 8, 2, unlimited, false, 0};
  setting.host_grain = 16;
  setting.max_pieces = 3;
  EXPECT_EQ(to_code(setting),
            "World world({.policy = \"region\", .peers = Peers::all, .devices = 1, .rows = 1, .columns = 8, "
            ".objects = 2, .capacity = unlimited, .deferred = false, .seed = 0, .host_grain = 16, "
            ".max_pieces = 3});\n");
}

/// What is printed is C++: this is pasted.
TEST(CoherenceShrink, WhatItPrintsCompiles) {
  World world({.policy = "region",
               .peers = Peers::one_way,
               .devices = 2,
               .rows = 1,
               .columns = 8,
               .objects = 2,
               .capacity = 14,
               .deferred = true,
               .seed = 3,
               .host_grain = 16,
               .max_pieces = 3});
  world.together({0, range(1, 3), device(0), Access::read_write},
                 {0, range(3, 8), device(1), Access::read_write}, true);
  world.use(host, Access::write, range(3, 4), 1, 2);
  world.direct(Access::read, range(0, 1));
  world.resize(1, 4, 1);
  world.open({0, range(2, 3), host, Access::write}, true);
  world.close(2);
  world.flush(0);
  EXPECT_NO_THROW(world.end());
}

}  // namespace
}  // namespace haloheap::coherence::test
