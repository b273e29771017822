// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/limiting.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace haloheap::memory {
namespace {

std::shared_ptr<MemoryResource> pageable() {
  return make_memory_resource("pageable");
}

TEST(Array, holds_its_elements_in_its_resource) {
  const auto resource = std::make_shared<StatisticsResource>(pageable());
  {
    const auto array = make_array<float>(resource, "array", 33);
    EXPECT_EQ(array.size(), 33U);
    EXPECT_EQ(array.label(), "array");
    EXPECT_EQ(&array.resource(), resource.get());
    EXPECT_TRUE(array.host_accessible());
    EXPECT_EQ(resource->snapshot().live_count, 1U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0U);
    for (std::size_t i = 0; i < 33; ++i) array.host_view()(i) = static_cast<float>(i);
    EXPECT_EQ(array.data()[32], 32.0F);
  }
  EXPECT_EQ(resource->snapshot().live_count, 0U);
}

TEST(Array, takes_the_space_that_the_properties_ask_for) {
  for (const ResourceEntry& info : memory_resources()) {
    if (!info.available()) continue;
    const auto array = make_array<double>(make_memory_resource(info.name), "array", 5);
    const backend::Properties properties = array.resource().properties();
    const std::size_t expected = !properties.device_accessible ? 0 : !properties.host_accessible ? 1 : 2;
    EXPECT_EQ(array.storage().index(), expected) << info.name;
    EXPECT_EQ(array.host_accessible(), properties.host_accessible) << info.name;
    EXPECT_GE(array.kernel_accessible(), properties.device_accessible) << info.name;
  }
}

TEST(Array, hands_kernels_the_same_memory_or_says_that_they_cannot_reach_it) {
  const auto array = make_array<double>(pageable(), "haloheap::unit::array", 5);
  if (array.kernel_accessible()) {
    EXPECT_EQ(array.view().data(), array.data());
    EXPECT_EQ(array.view().extent(0), 5U);
    return;
  }
  try {
    array.view();
    FAIL();
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "array 'haloheap::unit::array' is in 'pageable' memory, which kernels cannot access");
  }
}

TEST(Array, device_memory_has_no_host_view) {
  for (const ResourceEntry& info : memory_resources()) {
    if (info.name == "device" && !info.available()) GTEST_SKIP() << info.unavailable_reason();
  }
  const auto array = make_array<int>(make_memory_resource("device"), "d", 5);
  EXPECT_FALSE(array.host_accessible());
  EXPECT_EQ(array.view().data(), array.data());
  try {
    array.host_view();
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("array 'd' is in 'device' memory, which the host cannot access"),
              std::string::npos);
  }
}

TEST(Array, may_be_empty) {
  const auto array = make_array<double>(pageable(), "empty", 0);
  const auto other = make_array<double>(pageable(), "other", 0);
  EXPECT_EQ(array.size(), 0U);
  EXPECT_EQ(array.host_view().extent(0), 0U);
  deep_copy(Kokkos::DefaultExecutionSpace(), array, other);
}

TEST(Array, a_number_of_bytes_that_wraps_around_is_an_error) {
  const std::size_t largest = std::numeric_limits<std::size_t>::max();
  // 2^61 + 1 doubles are 8 bytes if the product wraps.
  for (const std::size_t size : {(largest >> 3) + 2, largest / sizeof(double), largest}) {
    try {
      make_array<double>(pageable(), "wrapped", size);
      FAIL() << size;
    } catch (const OutOfMemory& error) {
      EXPECT_NE(std::string(error.what())
                    .find("array 'wrapped' of " + std::to_string(size) + " elements of 8 bytes"),
                std::string::npos)
          << error.what();
    }
  }
}

TEST(Array, passes_out_of_memory_on) {
  const auto resource = std::make_shared<LimitingResource>(pageable(), 1000);
  EXPECT_THROW(make_array<double>(resource, "large", 126), OutOfMemory);
  EXPECT_EQ(resource->live_bytes(), 0U);
  EXPECT_THROW(make_array<double>(nullptr, "none", 1), UsageError);
}

TEST(Array, moves_and_owns_once) {
  const auto resource = std::make_shared<StatisticsResource>(pageable());
  auto first = make_array<int>(resource, "first", 3);
  const int* const data = first.data();
  {
    const Array<int> second = std::move(first);
    EXPECT_EQ(second.data(), data);
    EXPECT_EQ(resource->snapshot().live_count, 1U);
  }
  first = make_array<int>(resource, "third", 4);
  EXPECT_EQ(resource->snapshot().live_count, 1U);
  EXPECT_EQ(first.size(), 4U);
}

TEST(Array, a_copy_needs_equal_sizes) {
  const auto three = make_array<int>(pageable(), "three", 3);
  const auto four = make_array<int>(pageable(), "four", 4);
  try {
    deep_copy(Kokkos::DefaultExecutionSpace(), three, four);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "cannot copy array 'four' of 4 elements to 'three' of 3");
  }
}

}  // namespace
}  // namespace haloheap::memory
