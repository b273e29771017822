// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace haloheap::memory {
namespace {

TEST(MemoryRegistry, lists_each_once_and_those_that_others_ask_for_by_name) {
  std::vector<std::string> names = memory_resources().names();
  for (const char* const name : {"device", "managed", "pageable", "pinned"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(MemoryRegistry, pageable_memory_is_always_there) {
  for (const ResourceEntry& info : memory_resources()) {
    EXPECT_TRUE(info.available() || info.name != "pageable") << info.unavailable_reason();
  }
  EXPECT_TRUE(make_memory_resource("pageable")->properties().host_accessible);
}

TEST(MemoryRegistry, an_unknown_name_lists_the_known_ones) {
  const std::string known = fmt::format("{}", fmt::join(memory_resources().names(), ", "));
  for (const char* const name : {"pined", "", "Device", "device "}) {
    try {
      make_memory_resource(name);
      FAIL() << name;
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()),
                std::string("there is no memory resource '") + name + "'\n  remedy: use one of: " + known);
    }
  }
}

TEST(MemoryRegistry, an_unavailable_resource_is_a_capability_error_with_its_reason) {
  int unavailable = 0;
  for (const ResourceEntry& info : memory_resources()) {
    if (info.available()) continue;
    ++unavailable;
    try {
      make_memory_resource(info.name);
      FAIL() << info.name;
    } catch (const CapabilityError& error) {
      EXPECT_NE(std::string(error.what()).find(info.unavailable_reason()), std::string::npos);
    }
  }
  if (unavailable == 0) GTEST_SKIP() << "all memory resources are available here";
}

std::shared_ptr<MemoryResource> make_pageable(const ResourceOptions&) {
  return make_memory_resource("pageable");
}
const ResourceEntry mine{"mine", "help", [] { return std::string(); }, make_pageable};
const ResourceEntry missing{"missing", "help", [] { return std::string("it is at home"); }, make_pageable};

template <class Error, class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// In a process of its own: what is added stays.
template <class Test>
void expect_apart(const Test& test) {
  EXPECT_EXIT(
      {
        test();
        std::_Exit(::testing::Test::HasFailure() ? 1 : 0);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(MemoryRegistryDeathTest, what_is_added_can_be_had_unless_it_says_why_not) {
  expect_apart([] {
    add_memory_resources({mine, missing});
    EXPECT_EQ(make_memory_resource("mine")->name(), "pageable");
    const std::string text = refusal<CapabilityError>([] { make_memory_resource("missing"); });
    EXPECT_EQ(text.find("memory resource 'missing' cannot be had here: it is at home\n"), 0U) << text;
    const std::string available = text.substr(std::min(text.find("available here: "), text.size()));
    EXPECT_NE(available.find("mine"), std::string::npos) << text;
    EXPECT_EQ(available.find("missing"), std::string::npos) << text;
  });
}

TEST(MemoryRegistryDeathTest, a_list_with_a_name_that_is_there_is_refused_as_a_whole) {
  expect_apart([] {
    EXPECT_EQ(refusal<UsageError>([] {
                add_memory_resources({mine, missing, mine});
              }).find("there is a memory resource 'mine' already"),
              0U);
    EXPECT_EQ(refusal<UsageError>([] { make_memory_resource("mine"); }).find("there is no memory resource"),
              0U);
  });
}

class NullResource final : public MemoryResource {
 public:
  backend::Properties properties() const override { return {.host_accessible = true, .max_alignment = 256}; }
  std::string name() const override { return "null"; }
  int released = 0;

 private:
  void* do_allocate(std::size_t, std::size_t, std::string_view) override { return nullptr; }
  void do_deallocate(const Allocation&) noexcept override { ++released; }
};

TEST(MemoryResource, null_is_neither_handed_out_nor_given_back) {
  NullResource resource;
  EXPECT_EQ(refusal<InternalError>([&] {
              resource.allocate(8, 8, "block");
            }).find("memory resource 'null' returned null for 'block'"),
            0U);
  resource.deallocate({});
  EXPECT_EQ(resource.released, 0);
}

}  // namespace
}  // namespace haloheap::memory
