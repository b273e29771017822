// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/faulty.hpp>
#include <haloheap/core/memory/adaptors/limiting.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/unit/core/memory/side_by_side.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace haloheap::memory {
namespace {

TEST(LimitingResource, gives_up_to_the_last_byte_and_says_how_much_is_left) {
  LimitingResource resource(make_memory_resource("pageable"), 100);
  const Allocation a = resource.allocate(60);
  try {
    resource.allocate(41, backend::default_alignment, "too much");
    FAIL();
  } catch (const OutOfMemory& error) {
    EXPECT_EQ(error.bytes(), 41U);
    EXPECT_EQ(std::string(error.what()).substr(0, std::string(error.what()).find('\n')),
              "out of pageable memory: 'too much' needs 41 bytes, 40 are left of a limit of 100");
  }
  const Allocation b = resource.allocate(40);
  EXPECT_EQ(resource.live_bytes(), 100U);
  EXPECT_THROW(resource.allocate(1), OutOfMemory);
  resource.deallocate(a);
  const Allocation c = resource.allocate(60);
  resource.deallocate(b);
  resource.deallocate(c);
  EXPECT_EQ(resource.live_bytes(), 0U);
}

TEST(LimitingResource, does_not_wrap_around) {
  LimitingResource resource(make_memory_resource("pageable"), 100);
  const Allocation a = resource.allocate(60);
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - 59}) {
    try {
      resource.allocate(bytes);
      FAIL();
    } catch (const OutOfMemory& error) {
      EXPECT_NE(std::string(error.what()).find("40 are left of a limit of 100"), std::string::npos)
          << "the resource below was asked: " << error.what();
    }
  }
  EXPECT_EQ(resource.live_bytes(), 60U);
  resource.deallocate(a);
}

TEST(LimitingResource, a_failure_upstream_is_not_charged) {
  LimitingResource resource(std::make_shared<FaultyResource>(make_memory_resource("pageable"), 1), 100);
  EXPECT_THROW(resource.allocate(80), OutOfMemory);
  EXPECT_EQ(resource.live_bytes(), 0U);
  resource.deallocate(resource.allocate(100));
}

TEST(LimitingResource, threads_do_not_disturb_each_other) {
  LimitingResource resource(make_memory_resource("pageable"), 1000);
  testing::side_by_side([&] { resource.deallocate(resource.allocate(100)); });
  EXPECT_EQ(resource.live_bytes(), 0U);
}

TEST(LimitingResource, an_alignment_that_is_refused_is_not_charged) {
  LimitingResource resource(make_memory_resource("pageable"), 100);
  EXPECT_THROW(resource.allocate(10, 3), UsageError);
  EXPECT_EQ(resource.live_bytes(), 0U);
}

TEST(LimitingResource, a_limit_of_zero_gives_empty_blocks_only) {
  LimitingResource resource(make_memory_resource("pageable"), 0);
  EXPECT_THROW(resource.allocate(1), OutOfMemory);
  resource.deallocate(resource.allocate(0));
  EXPECT_EQ(resource.name(), "limiting(pageable)");
}

}  // namespace
}  // namespace haloheap::memory
