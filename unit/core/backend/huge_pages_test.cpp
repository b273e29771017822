// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/huge_pages.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <sstream>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {
bool kernel_refuses = false;
std::size_t misfit = 0;  // bytes between what mmap returns and what the kernel gave
}  // namespace

// These stand in front of the C library's.
extern "C" void* mmap(void* wanted, std::size_t bytes, int access, int flags, int file,
                      off_t offset) noexcept {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): that is how addresses come from the kernel
  auto* const data =
      reinterpret_cast<char*>(syscall(SYS_mmap, wanted, bytes + misfit, access, flags, file, offset));
  if (misfit == 0 || data == MAP_FAILED) return data;
  munmap(data, misfit);
  return data + misfit;
}

extern "C" int madvise(void* data, std::size_t bytes, int advice) noexcept {
  if (!kernel_refuses) return static_cast<int>(syscall(SYS_madvise, data, bytes, advice));
  errno = EINVAL;
  return -1;
}

namespace haloheap::backend {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// A machine's settings of transparent huge pages, in a folder.
class HugePageSettings : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    root = fs::path(::testing::TempDir()) / (std::string("haloheap_huge_pages_") + test->name());
    fs::remove_all(root);
    write("hpage_pmd_size", "2097152");
    write("enabled", "always [madvise] never");
  }
  void TearDown() override { fs::remove_all(root); }

  void write(const std::string& file, const std::string& text) const {
    const fs::path path = root / "sys/kernel/mm/transparent_hugepage" / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
  }

  fs::path root;
};

TEST_F(HugePageSettings, say_how_large_a_page_is) {
  EXPECT_EQ(huge_page_bytes(root), 2 * mebibyte);
  write("hpage_pmd_size", "536870912");
  EXPECT_EQ(huge_page_bytes(root), 512 * mebibyte);
  EXPECT_EQ(huge_page_bytes(root / "elsewhere"), 0U);
}

TEST_F(HugePageSettings, that_ask_for_advice_or_not_at_all_will_do) {
  EXPECT_EQ(huge_pages_unavailable_reason(root), "");
  write("enabled", "[always] madvise never");
  EXPECT_EQ(huge_pages_unavailable_reason(root), "");
}

TEST_F(HugePageSettings, of_a_kernel_without_any_are_missing) {
  EXPECT_EQ(huge_pages_unavailable_reason(root / "elsewhere"),
            "this kernel has no transparent huge pages (no /sys/kernel/mm/transparent_hugepage)");
}

TEST_F(HugePageSettings, that_say_never_are_named) {
  write("enabled", "always madvise [never]");
  EXPECT_EQ(
      huge_pages_unavailable_reason(root),
      "transparent huge pages are switched off: /sys/kernel/mm/transparent_hugepage/enabled says never");
}

TEST_F(HugePageSettings, of_the_size_go_before_those_of_all_sizes) {
  const std::string of_size = "hugepages-2048kB/enabled";
  write(of_size, "always inherit madvise [never]");
  EXPECT_EQ(huge_pages_unavailable_reason(root),
            "transparent huge pages are switched off: "
            "/sys/kernel/mm/transparent_hugepage/hugepages-2048kB/enabled says never");
  write(of_size, "always [inherit] madvise never");
  EXPECT_EQ(huge_pages_unavailable_reason(root), "");
  write("enabled", "always madvise [never]");
  EXPECT_NE(huge_pages_unavailable_reason(root), "");
  write(of_size, "always inherit [madvise] never");
  EXPECT_EQ(huge_pages_unavailable_reason(root), "");
}

TEST_F(HugePageSettings, of_the_process_count_too) {
  EXPECT_EXIT(
      {
        prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
        const bool named = huge_pages_unavailable_reason(root) ==
                           "transparent huge pages are switched off for this process (PR_SET_THP_DISABLE)";
        std::_Exit(named ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

/// Bytes of all that this process has mapped.
std::size_t mapped_bytes() {
  static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  char text[64] = "";
  const int file = open("/proc/self/statm", O_RDONLY);
  EXPECT_GT(read(file, text, sizeof text - 1), 0);
  close(file);
  return std::strtoull(text, nullptr, 10) * page;
}

/// What the kernel says of the memory areas that a range lies in: `in_huge_pages` may count neighbours that
/// share an area with it.
struct Areas {
  bool asked_for_huge_pages = true;  ///< all of them
  std::size_t in_huge_pages = 0;     ///< bytes
};

Areas areas_of(const void* data, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(data), last = first + bytes - 1;
  Areas result;
  bool within = false;
  std::ifstream file("/proc/self/smaps");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (const std::size_t dash = key.find('-'); key.back() != ':' && dash != std::string::npos) {
      const auto low = std::stoull(key.substr(0, dash), nullptr, 16),
                 high = std::stoull(key.substr(dash + 1), nullptr, 16);
      within = low <= last && high > first;
    }
    std::size_t kib = 0;
    if (within && key == "AnonHugePages:" && words >> kib) result.in_huge_pages += kib * 1024;
    if (within && key == "VmFlags:" && line.find(" hg") == std::string::npos)
      result.asked_for_huge_pages = false;
  }
  return result;
}

class HugePages : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = huge_pages_unavailable_reason();
    if (!reason.empty()) GTEST_SKIP() << reason;
    page = huge_page_bytes();
    if (page > 32 * mebibyte)
      GTEST_SKIP() << "huge pages of " << page / mebibyte << " MiB are too large for a test";
  }
  void TearDown() override {
    kernel_refuses = false;
    misfit = 0;
  }

  static MemoryRequest request(std::size_t bytes) {
    return {.bytes = bytes, .alignment = 64, .label = "block", .memory = "huge_pages"};
  }

  std::size_t page = 0;
};

TEST_F(HugePages, are_whole_aligned_zero_and_given_back) {
  for (const std::size_t bytes : {page, page + 1, 3 * page, 5 * page - 1}) {
    // Kernels may align large areas by themselves, or not.
    misfit = bytes % 2 == 0 ? 0 : 3 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t before = mapped_bytes();
    void* const data = allocate_huge_pages(request(bytes));
    const std::size_t whole = (bytes + page - 1) / page * page;
    EXPECT_EQ(mapped_bytes() - before, whole) << bytes;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % page, 0U) << bytes;
    const std::vector<char> zeros(whole);
    EXPECT_EQ(std::memcmp(data, zeros.data(), whole), 0) << bytes;
    std::memset(data, 17, whole);
    deallocate_huge_pages(data, bytes);
    EXPECT_EQ(mincore(data, whole, std::vector<unsigned char>(whole / 1024).data()), -1) << bytes;
    EXPECT_EQ(errno, ENOMEM) << "something is mapped there still";
  }
  const std::size_t before = mapped_bytes();
  for (int i = 0; i < 200; ++i)
    deallocate_huge_pages(allocate_huge_pages(request(2 * page + 1)), 2 * page + 1);
  EXPECT_EQ(mapped_bytes(), before);
}

TEST_F(HugePages, are_what_the_kernel_gives) {
  const std::size_t bytes = 8 * page;
  void* const data = allocate_huge_pages(request(bytes));
  std::memset(data, 1, bytes);
  const Areas areas = areas_of(data, bytes);
  deallocate_huge_pages(data, bytes);
  EXPECT_TRUE(areas.asked_for_huge_pages);
  if (areas.in_huge_pages < bytes)
    GTEST_SKIP() << "the kernel found huge pages for " << areas.in_huge_pages << " of " << bytes
                 << " bytes only: its memory may be in small pieces";
}

TEST_F(HugePages, are_not_taken_for_less_than_one) {
  const Areas small = [] {
    void* const data = allocate_huge_pages(request(100));
    std::memset(data, 1, 100);
    const Areas result = areas_of(data, 100);
    deallocate_huge_pages(data, 100);
    return result;
  }();
  EXPECT_FALSE(small.asked_for_huge_pages);
  const std::size_t before = mapped_bytes();
  std::vector<void*> blocks;
  for (int i = 0; i < 100; ++i) blocks.push_back(allocate_huge_pages(request(i % 2 == 0 ? 0 : 1000)));
  EXPECT_LT(mapped_bytes() - before, page);
  for (int i = 0; i < 100; ++i)
    deallocate_huge_pages(blocks[static_cast<std::size_t>(i)], i % 2 == 0 ? 0 : 1000);
  void* const almost = allocate_huge_pages(request(page - 1));
  std::memset(almost, 1, page - 1);
  deallocate_huge_pages(almost, page - 1);
}

TEST_F(HugePages, that_no_machine_has_are_refused_in_words) {
  for (const std::size_t bytes : {std::size_t{1} << 60, std::numeric_limits<std::size_t>::max()}) {
    try {
      allocate_huge_pages(request(bytes));
      FAIL() << bytes;
    } catch (const OutOfMemory& error) {
      EXPECT_EQ(error.bytes(), bytes);
      EXPECT_EQ(
          std::string(error.what())
              .find(fmt::format("out of huge_pages memory: 'block' needs {} bytes, the host has ", bytes)),
          0U)
          << error.what();
    }
  }
}

TEST_F(HugePages, that_the_kernel_refuses_are_an_error_that_leaves_nothing_behind) {
  const std::size_t before = mapped_bytes();
  kernel_refuses = true;
  try {
    allocate_huge_pages(request(3 * page));
    FAIL();
  } catch (const CapabilityError& error) {
    EXPECT_EQ(std::string(error.what()),
              fmt::format("the kernel takes no huge pages for 'block' of {} bytes: Invalid argument\n"
                          "  consequence: the block was not allocated\n"
                          "  remedy: use memory 'pageable'",
                          3 * page));
  }
  kernel_refuses = false;
  EXPECT_EQ(mapped_bytes(), before);
}

}  // namespace
}  // namespace haloheap::backend
