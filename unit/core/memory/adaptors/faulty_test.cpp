// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/faulty.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <gtest/gtest.h>

namespace haloheap::memory {
namespace {

TEST(FaultyResource, only_the_nth_allocation_fails) {
  FaultyResource resource(make_memory_resource("pageable"), 3);
  resource.deallocate(resource.allocate(8));
  resource.deallocate(resource.allocate(8));
  try {
    resource.allocate(24, backend::default_alignment, "third");
    FAIL();
  } catch (const OutOfMemory& error) {
    EXPECT_EQ(error.bytes(), 24U);
    EXPECT_NE(std::string(error.what()).find("'third' needs 24 bytes, and allocation 3 was told to fail"),
              std::string::npos);
  }
  resource.deallocate(resource.allocate(8));
}

TEST(FaultyResource, counts_from_one) {
  EXPECT_THROW(FaultyResource(make_memory_resource("pageable"), 0), UsageError);
  FaultyResource resource(make_memory_resource("pageable"), 1);
  EXPECT_THROW(resource.allocate(8), OutOfMemory);
}

TEST(FaultyResource, gives_back_what_it_gave_out) {
  const auto below = std::make_shared<StatisticsResource>(make_memory_resource("pageable"));
  FaultyResource resource(below, 7);
  resource.deallocate(resource.allocate(8));
  EXPECT_EQ(below->snapshot().total_count, 1U);
  EXPECT_EQ(below->snapshot().live_count, 0U);
}

TEST(FaultyResource, its_failure_passes_through_kokkos) {
  const auto resource = std::make_shared<FaultyResource>(make_memory_resource("pageable"), 2);
  const auto first = make_array<int>(resource, "first", 4);
  EXPECT_THROW(make_array<int>(resource, "second", 4), OutOfMemory);
  const auto third = make_array<int>(resource, "third", 4);
  EXPECT_EQ(third.size(), 4U);
  EXPECT_EQ(resource->name(), "faulty(pageable)");
}

}  // namespace
}  // namespace haloheap::memory
