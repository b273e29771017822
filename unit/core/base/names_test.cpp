// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/names.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

enum class Fruit { apple, pear, plum };

constexpr auto names_of(Fruit) {
  return name_table<Fruit>("fruit", {{Fruit::pear, "pear"}, {Fruit::apple, "apple"}});
}

TEST(Names, go_both_ways_in_the_order_of_the_table) {
  EXPECT_EQ(all_names<Fruit>(), (std::vector<std::string>{"pear", "apple"}));
  for (const std::string& name : all_names<Fruit>()) EXPECT_EQ(name_of(from_name<Fruit>(name)), name);
}

TEST(Names, that_there_are_not) {
  EXPECT_THROW(name_of(Fruit::plum), InternalError);
  try {
    from_name<Fruit>("plum");
    FAIL() << "there is no such name";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "there is no fruit 'plum'\n  remedy: use one of: pear, apple");
  }
}

}  // namespace
}  // namespace haloheap
