// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <gtest/gtest.h>

#include <set>

namespace haloheap {
namespace {

TEST(MemoryRegistry, lists_the_four_kinds_of_memory_once_each) {
  std::multiset<std::string> names;
  for (const ResourceInfo& info : memory_resources()) names.insert(info.name);
  EXPECT_EQ(names, (std::multiset<std::string>{"device", "managed", "pageable", "pinned", "registered",
                                               "write_combined"}));
}

TEST(MemoryRegistry, pageable_memory_is_always_there) {
  for (const ResourceInfo& info : memory_resources()) {
    EXPECT_TRUE(info.available() || info.name != "pageable") << info.unavailable_reason;
  }
  EXPECT_TRUE(make_memory_resource("pageable")->properties().host_accessible);
}

TEST(MemoryRegistry, an_unknown_name_lists_the_known_ones) {
  for (const char* const name : {"pined", "", "Device", "device "}) {
    try {
      make_memory_resource(name);
      FAIL() << name;
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()),
                std::string("there is no memory resource '") + name +
                    "'\n  consequence: nothing was allocated"
                    "\n  remedy: use one of: device, pinned, pageable, registered, write_combined, managed");
    }
  }
}

TEST(MemoryRegistry, an_unavailable_resource_is_a_capability_error_with_its_reason) {
  int unavailable = 0;
  for (const ResourceInfo& info : memory_resources()) {
    if (info.available()) continue;
    ++unavailable;
    try {
      make_memory_resource(info.name);
      FAIL() << info.name;
    } catch (const CapabilityError& error) {
      EXPECT_NE(std::string(error.what()).find(info.unavailable_reason), std::string::npos);
    }
  }
  if (unavailable == 0) GTEST_SKIP() << "all memory resources are available here";
}

}  // namespace
}  // namespace haloheap
