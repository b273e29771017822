// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/faulty.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/core/memory/resize.hpp>
#include <haloheap/unit/core/memory/side_by_side.hpp>

#include <gtest/gtest.h>

namespace haloheap::memory {
namespace {

using PageableMatrix = Kokkos::View<double**, Kokkos::LayoutRight, PageableSpace>;

std::shared_ptr<StatisticsResource> make_counted() {
  return std::make_shared<StatisticsResource>(make_memory_resource("pageable"));
}

PageableMatrix make_numbered(const std::shared_ptr<MemoryResource>& resource) {
  PageableMatrix matrix(Kokkos::view_alloc(PageableSpace(resource), "matrix"), 3, 5);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 5; ++j) matrix(i, j) = static_cast<double>(10 * i + j);
  }
  return matrix;
}

TEST(ResourceOf, finds_the_resource_of_views_and_parts_of_them) {
  const auto resource = make_counted();
  const PageableMatrix matrix = make_numbered(resource);
  EXPECT_EQ(resource_of(matrix), resource);
  EXPECT_EQ(resource_of(Kokkos::subview(matrix, 2, std::make_pair(1, 5))), resource);
  EXPECT_EQ(resource_of(PageableMatrix()), nullptr);
  const Kokkos::View<double*, Kokkos::HostSpace> theirs("theirs", 5);
  EXPECT_EQ(resource_of(theirs), nullptr);
}

TEST(ResourceOf, knows_where_a_block_begins_and_ends) {
  const PageableSpace space(make_counted());
  auto* const data = static_cast<char*>(space.allocate("block", 1000));
  EXPECT_EQ(detail::owner_of(data), space.resource());
  EXPECT_EQ(detail::owner_of(data + 999), space.resource());
  EXPECT_EQ(detail::owner_of(data + 1000), nullptr);
  EXPECT_EQ(detail::owner_of(data - 1), nullptr);
  space.deallocate(data, 1000);
  EXPECT_EQ(detail::owner_of(data), nullptr);
}

TEST(ResourceOf, blocks_of_threads_are_all_known) {
  const PageableSpace space(make_counted());
  testing::side_by_side([&] {
    void* const data = space.allocate("block", 64);
    if (detail::owner_of(data) != space.resource()) Kokkos::abort("a block is not known");
    space.deallocate(data, 64);
  });
}

TEST(ResourceOfDeathTest, a_block_of_others_is_not_given_back) {
  int foreign = 0;
  EXPECT_DEATH(PageableSpace().deallocate(&foreign, sizeof foreign), "a block that it does not own");
}

TEST(Resize, keeps_the_resource_the_label_and_the_common_part) {
  const auto resource = make_counted();
  for (const auto& [rows, columns] : {std::pair{5, 7}, {2, 4}, {4, 2}, {3, 5}}) {
    PageableMatrix matrix = make_numbered(resource);
    resize(matrix, rows, columns);
    EXPECT_EQ(resource_of(matrix), resource);
    EXPECT_EQ(resource->snapshot().live_count, 1U);
    EXPECT_EQ(matrix.label(), "matrix");
    ASSERT_EQ(matrix.extent_int(0), rows);
    ASSERT_EQ(matrix.extent_int(1), columns);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j)
        EXPECT_EQ(matrix(i, j), i < 3 && j < 5 ? 10 * i + j : 0) << i << "," << j;
    }
  }
}

TEST(Resize, to_nothing_and_back) {
  const auto resource = make_counted();
  PageableMatrix matrix = make_numbered(resource);
  resize(matrix, 0, 5);
  EXPECT_EQ(matrix.size(), 0U);
  resize(matrix, 2, 2);
  EXPECT_EQ(matrix(1, 1), 0.0);
}

TEST(Resize, a_view_that_holds_nothing_takes_the_default_resource) {
  PageableMatrix matrix;
  resize(matrix, 2, 3);
  ASSERT_NE(resource_of(matrix), nullptr);
  EXPECT_EQ(resource_of(matrix)->name(), "pageable");
}

TEST(Resize, leaves_the_view_alone_when_memory_runs_out) {
  const auto resource = std::make_shared<FaultyResource>(make_memory_resource("pageable"), 2);
  PageableMatrix matrix = make_numbered(resource);
  EXPECT_THROW(resize(matrix, 50, 50), OutOfMemory);
  ASSERT_EQ(matrix.extent(1), 5U);
  EXPECT_EQ(matrix(2, 4), 24.0);
}

TEST(Resize, works_in_device_memory) {
  for (const ResourceEntry& info : memory_resources()) {
    if (info.name == "device" && !info.available()) GTEST_SKIP() << info.unavailable_reason();
  }
  const auto resource = std::make_shared<StatisticsResource>(make_memory_resource("device"));
  Kokkos::View<int*, DeviceSpace> view(Kokkos::view_alloc(DeviceSpace(resource), "view"), 10);
  Kokkos::deep_copy(view, 6);
  resize(view, 20);
  EXPECT_EQ(resource_of(view), resource);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  EXPECT_EQ(host(9), 6);
  EXPECT_EQ(host(10), 0);
}

TEST(Realloc, keeps_the_resource_and_clears_the_content) {
  const auto resource = make_counted();
  PageableMatrix matrix = make_numbered(resource);
  realloc(matrix, 4, 4);
  EXPECT_EQ(resource_of(matrix), resource);
  EXPECT_EQ(matrix.label(), "matrix");
  EXPECT_EQ(matrix(1, 1), 0.0);
  EXPECT_EQ(resource->snapshot().live_count, 1U);
  EXPECT_EQ(resource->snapshot().peak_count, 1U);
}

}  // namespace
}  // namespace haloheap::memory
