// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/faulty.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/unit/core/memory/side_by_side.hpp>

#include <gtest/gtest.h>

namespace haloheap::memory {
namespace {

TEST(StatisticsResource, counts_live_peak_and_total) {
  StatisticsResource resource(make_memory_resource("pageable"));
  const Allocation a = resource.allocate(100);
  const Allocation b = resource.allocate(50);
  resource.deallocate(a);
  const Allocation c = resource.allocate(0);
  const MemoryStatistics seen = resource.snapshot();
  EXPECT_EQ(seen.live_bytes, 50U);
  EXPECT_EQ(seen.peak_bytes, 150U);
  EXPECT_EQ(seen.total_bytes, 150U);
  EXPECT_EQ(seen.live_count, 2U);
  EXPECT_EQ(seen.peak_count, 2U);
  EXPECT_EQ(seen.total_count, 3U);
  EXPECT_EQ(seen.failed_count, 0U);
  resource.deallocate(b);
  resource.deallocate(c);
  EXPECT_EQ(resource.snapshot().live_bytes, 0U);
  EXPECT_EQ(resource.snapshot().live_count, 0U);
  EXPECT_EQ(resource.snapshot().peak_bytes, 150U);
  resource.deallocate(resource.allocate(1));
  EXPECT_EQ(resource.snapshot().peak_bytes, 150U);
  EXPECT_EQ(resource.snapshot().peak_count, 2U);
}

TEST(StatisticsResource, a_failed_allocation_changes_nothing_else) {
  StatisticsResource resource(std::make_shared<FaultyResource>(make_memory_resource("pageable"), 1));
  EXPECT_THROW(resource.allocate(100), OutOfMemory);
  EXPECT_EQ(resource.snapshot().failed_count, 1U);
  EXPECT_EQ(resource.snapshot().total_bytes, 0U);
  EXPECT_EQ(resource.snapshot().live_count, 0U);
}

TEST(StatisticsResource, threads_lose_no_count) {
  StatisticsResource resource(make_memory_resource("pageable"));
  const std::size_t calls = testing::side_by_side([&] { resource.deallocate(resource.allocate(8)); });
  EXPECT_EQ(resource.snapshot().total_count, calls);
  EXPECT_EQ(resource.snapshot().total_bytes, 8 * calls);
  EXPECT_EQ(resource.snapshot().live_bytes, 0U);
  EXPECT_EQ(resource.snapshot().live_count, 0U);
}

TEST(StatisticsResource, keeps_the_properties_and_wraps_the_name) {
  const auto upstream = make_memory_resource("pageable");
  const StatisticsResource resource(upstream);
  EXPECT_EQ(resource.properties(), upstream->properties());
  EXPECT_EQ(resource.name(), "statistics(pageable)");
}

TEST(StatisticsResource, needs_an_upstream) {
  EXPECT_THROW(StatisticsResource(nullptr), UsageError);
}

}  // namespace
}  // namespace haloheap::memory
