// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The emulated device; the conformance suite of the resources holds for it too.
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/backend/memory_file.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <sys/resource.h>
#include <unistd.h>

namespace haloheap::backend {
namespace {

void* take(std::size_t bytes) {
  return allocate({MemoryKind::device, bytes, 256, "emulated", 0});
}

TEST(EmulatedDevice, memory_that_was_never_written_is_not_a_number) {
  auto* const data = static_cast<double*>(take(1000 * sizeof(double)));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(std::isnan(data[i])) << i;
  deallocate(MemoryKind::device, data, 1000 * sizeof(double), 0);
}

TEST(EmulatedDevice, is_not_accessible_to_the_host_and_its_memory_is_not_the_host_s) {
  EXPECT_FALSE(properties(MemoryKind::device, 0).host_accessible);
  EXPECT_TRUE(properties(MemoryKind::device, 0).device_accessible);
  EXPECT_FALSE(properties(MemoryKind::pageable, 0).device_accessible);
  EXPECT_EQ(current_device(), 0);
}

TEST(EmulatedDevice, has_the_memory_of_the_host_at_most) {
  const MemoryAmount amount = device_memory(0);
  EXPECT_GT(amount.free, 0U);
  EXPECT_LE(amount.free, amount.total);
}

TEST(EmulatedDevice, counts_the_pages_that_are_in_use) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t before = memory_file::in_use();
  void* const data = take(page + 1);
  EXPECT_EQ(memory_file::in_use(), before + 2 * page);
  deallocate(MemoryKind::device, data, page + 1, 0);
  EXPECT_EQ(memory_file::in_use(), before);
}

TEST(EmulatedDeviceDeathTest, running_over_the_end_faults) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* const data = static_cast<volatile char*>(take(page));
  data[page - 1] = 1;
  EXPECT_DEATH(data[page] = 1, "");
  deallocate(MemoryKind::device, const_cast<char*>(data), page, 0);
}

/// Says on stderr that it has come to the end, and goes on.
void run_over_the_end_of_a_block_without_a_file() {
  const rlimit no_files{0, 0};
  setrlimit(RLIMIT_NOFILE, &no_files);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  auto* const data = static_cast<volatile char*>(memory_file::take(page));
  data[page - 1] = 1;
  if (memory_file::find(const_cast<char*>(data))->file < 0) std::fputs("at the end\n", stderr);
  data[page] = 1;
}

TEST(EmulatedDeviceDeathTest, running_over_the_end_of_a_block_without_a_file_faults) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(run_over_the_end_of_a_block_without_a_file(), "at the end");
}

TEST(EmulatedDeviceDeathTest, use_after_release_faults) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        auto* const data = static_cast<volatile char*>(take(100));
        deallocate(MemoryKind::device, const_cast<char*>(data), 100, 0);
        data[0] = 1;
      },
      "");
}

}  // namespace
}  // namespace haloheap::backend
