// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/host_memory.hpp>
#include <haloheap/core/base/error.hpp>

#include <gtest/gtest.h>

#include <fstream>

namespace haloheap::backend {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mib = std::size_t{1} << 20;

/// A machine of 1000 MiB, 600 of them available, in a folder.
class HostMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    root = fs::path(::testing::TempDir()) / (std::string("haloheap_host_memory_") + test->name());
    fs::remove_all(root);
    write("proc/meminfo",
          "MemTotal:        1024000 kB\nMemFree:          100 kB\nMemAvailable:     614400 kB\n");
  }
  void TearDown() override { fs::remove_all(root); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  void expect(std::size_t free_mib, std::size_t total_mib) const {
    const MemoryAmount amount = host_memory(root);
    EXPECT_EQ(amount.free, free_mib * mib);
    EXPECT_EQ(amount.total, total_mib * mib);
  }

  fs::path root;
};

TEST_F(HostMemory, is_what_the_kernel_says_without_control_groups) {
  expect(600, 1000);
}

TEST_F(HostMemory, is_cut_by_version_2_with_its_page_cache_counted_as_free) {
  write("proc/self/cgroup", "0::/job/step\n");
  write("sys/fs/cgroup/job/step/memory.max", std::to_string(400 * mib) + "\n");
  write("sys/fs/cgroup/job/step/memory.current", std::to_string(150 * mib) + "\n");
  write("sys/fs/cgroup/job/step/memory.stat",
        "anon 1\ninactive_file " + std::to_string(50 * mib) + "\nfile 2\n");
  expect(300, 400);
}

TEST_F(HostMemory, is_cut_by_a_limit_further_up) {
  write("proc/self/cgroup", "0::/job/step\n");
  write("sys/fs/cgroup/job/step/memory.max", "max\n");
  write("sys/fs/cgroup/job/memory.max", std::to_string(200 * mib) + "\n");
  write("sys/fs/cgroup/job/memory.current", std::to_string(50 * mib) + "\n");
  expect(150, 200);
}

TEST_F(HostMemory, is_cut_by_version_1) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/job\n4:memory:/job\n0::/\n");
  write("sys/fs/cgroup/memory/job/memory.limit_in_bytes", std::to_string(300 * mib) + "\n");
  write("sys/fs/cgroup/memory/job/memory.usage_in_bytes", std::to_string(100 * mib) + "\n");
  write("sys/fs/cgroup/memory/job/memory.stat", "total_inactive_file " + std::to_string(30 * mib) + "\n");
  expect(230, 300);
}

TEST_F(HostMemory, finds_a_container_s_limit_at_the_mount) {
  write("proc/self/cgroup", "4:memory:/outside/of/the/container\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", std::to_string(300 * mib) + "\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", std::to_string(400 * mib) + "\n");
  expect(0, 300);
}

TEST_F(HostMemory, ignores_the_number_that_stands_for_no_limit) {
  write("proc/self/cgroup", "4:memory:/\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "5\n");
  expect(600, 1000);
}

TEST_F(HostMemory, a_kernel_that_does_not_say_is_an_error) {
  write("proc/meminfo", "MemTotal: 1024000 kB\n");
  EXPECT_THROW(host_memory(root), CapabilityError);
}

TEST(ThisHost, has_memory) {
  const MemoryAmount amount = host_memory();
  EXPECT_GT(amount.free, 0U);
  EXPECT_LE(amount.free, amount.total);
}

TEST(ThisHost, refuses_more_than_is_free) {
  // Less than the host has, so that it would promise the addresses, and more than is free beside this
  // process.
  const MemoryRequest request{MemoryKind::pageable, host_memory().total - 2 * mib, 64, "everything", 0};
  EXPECT_THROW(allocate_pageable(request), OutOfMemory);
}

TEST(RequireFree, says_what_was_asked_for_and_what_there_is) {
  const MemoryRequest request{MemoryKind::pinned, 101, 64, "buffer", 0};
  require_free({MemoryKind::pinned, 100, 64, "buffer", 0}, {100, 500}, "the host");
  try {
    require_free(request, {100, 500}, "the host");
    FAIL();
  } catch (const OutOfMemory& error) {
    EXPECT_EQ(error.bytes(), 101U);
    EXPECT_STREQ(error.what(),
                 "out of pinned memory: 'buffer' needs 101 bytes, the host has 100 free of 500"
                 "\n  consequence: the block was not allocated"
                 "\n  remedy: use a smaller problem, more ranks on more nodes, or another memory resource");
  }
}

}  // namespace
}  // namespace haloheap::backend
