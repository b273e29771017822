// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/registry.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

struct Plain {
  std::string name, help;
};

struct Tool {
  std::string name, help;
  std::string (*unavailable_reason)();
  std::string nearest;
};

struct Lamp {
  std::string name, help, broken;
  std::string unavailable_reason() const { return broken; }
};

std::string here() {
  return "";
}
std::string rusty() {
  return "it is rusty";
}

/// What `action` throws as an E.
template <class E, class Action>
std::string text_of(const Action& action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Registry, finds_entries_by_name_and_keeps_their_order) {
  const Registry<Plain> all("thing", {{"b", "second letter"}, {"a", "first letter"}});
  EXPECT_EQ(all.names(), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(all.size(), 2U);
  EXPECT_EQ(all.front().name, "b");
  EXPECT_EQ(all.at("a").help, "first letter");
  EXPECT_EQ(&all.available("a"), all.find("a")) << "what cannot be missing is there";
  EXPECT_EQ(all.find("c"), nullptr);
  EXPECT_EQ(text_of<UsageError>([&] { all.at("c"); }), "there is no thing 'c'\n  remedy: use one of: b, a");
}

TEST(Registry, says_why_something_cannot_be_had_and_what_can) {
  const Registry<Lamp> lamps("lamp", {{"old", "", "no oil"}, {"new", "", ""}, {"blue", "", ""}});
  EXPECT_EQ(lamps.available_names(), (std::vector<std::string>{"new", "blue"}));
  EXPECT_EQ(lamps.available("new").name, "new");
  EXPECT_EQ(text_of<CapabilityError>([&] { lamps.available("old"); }),
            "lamp 'old' cannot be had here: no oil\n  remedy: available here: new, blue");
}

TEST(Registry, recommends_the_nearest_that_works) {
  const Registry<Tool> tools("tool", {{"saw", "", rusty, "knife"},
                                      {"knife", "", rusty, "scissors"},
                                      {"scissors", "", here, ""},
                                      {"axe", "", rusty, ""}});
  EXPECT_EQ(
      text_of<CapabilityError>([&] { tools.available("saw"); }),
      "tool 'saw' cannot be had here: it is rusty\n  remedy: the nearest that works here is 'scissors'");
  EXPECT_EQ(text_of<CapabilityError>([&] { tools.available("axe"); }),
            "tool 'axe' cannot be had here: it is rusty\n  remedy: available here: scissors");
}

TEST(Registry, takes_more_entries_of_other_names) {
  Registry<Plain> all("thing", {{"a", ""}});
  all.add({"b", ""});
  EXPECT_EQ(all.names(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(text_of<UsageError>([&] {
              all.add({"a", ""});
            }),
            "there is a thing 'a' already\n  consequence: it was not added\n"
            "  remedy: give it another name, and add it once");
}

}  // namespace
}  // namespace haloheap
