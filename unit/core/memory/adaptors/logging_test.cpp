// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/faulty.hpp>
#include <haloheap/core/memory/adaptors/logging.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/unit/core/memory/side_by_side.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace haloheap::memory {
namespace {

TEST(LoggingResource, writes_a_line_for_every_event) {
  std::vector<std::string> lines;
  LoggingResource resource(std::make_shared<FaultyResource>(make_memory_resource("pageable"), 2),
                           [&](std::string_view line) { lines.emplace_back(line); });
  const Allocation block = resource.allocate(100, 64, "field");
  EXPECT_THROW(resource.allocate(7, 8, "a, \"b\""), OutOfMemory);
  resource.deallocate(block);
  const std::string address = fmt::format("{}", fmt::ptr(block.data));
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "number,event,resource,bytes,alignment,address,label");
  EXPECT_EQ(lines[1], "1,allocate,faulty(pageable),100,64," + address + ",field");
  EXPECT_EQ(lines[2], "2,fail,faulty(pageable),7,8,0x0,\"a, \"\"b\"\"\"");
  EXPECT_EQ(lines[3], "3,deallocate,faulty(pageable),100,64," + address + ",");
}

TEST(LoggingResource, labels_are_one_field_whatever_is_in_them) {
  std::string last;
  LoggingResource resource(make_memory_resource("pageable"), [&](std::string_view line) { last = line; });
  const auto field_of = [&](std::string_view label) {
    const Allocation block = resource.allocate(8, 8, label);
    const std::string line = last;
    resource.deallocate(block);
    return line.substr(line.find(",8,8,") + 5 + fmt::format("{},", fmt::ptr(block.data)).size());
  };
  EXPECT_EQ(field_of("plain"), "plain");
  EXPECT_EQ(field_of("a,b"), "\"a,b\"");
  EXPECT_EQ(field_of("5\" disk"), "\"5\"\" disk\"");
  EXPECT_EQ(field_of("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(field_of("two\rlines"), "\"two\rlines\"");
}

TEST(LoggingResource, one_thread_at_a_time_writes) {
  std::atomic<bool> writing = false;
  bool met = false;
  LoggingResource resource(make_memory_resource("pageable"), [&](std::string_view) {
    if (writing.exchange(true)) met = true;
    writing = false;
  });
  testing::side_by_side([&] { resource.deallocate(resource.allocate(8)); });
  EXPECT_FALSE(met);
}

TEST(LoggingResource, a_failing_sink_leaks_nothing) {
  const auto statistics = std::make_shared<StatisticsResource>(make_memory_resource("pageable"));
  int calls = 0;
  LoggingResource resource(statistics, [&](std::string_view) {
    if (++calls > 2) throw std::runtime_error("disk full");
  });
  const Allocation block = resource.allocate(8);
  EXPECT_THROW(resource.allocate(16), std::runtime_error);
  resource.deallocate(block);
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(statistics->snapshot().live_count, 0U);
}

TEST(LoggingResource, needs_a_sink) {
  EXPECT_THROW(LoggingResource(make_memory_resource("pageable"), nullptr), UsageError);
}

}  // namespace
}  // namespace haloheap::memory
