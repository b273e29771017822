// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/host_memory.hpp>
#include <haloheap/core/backend/huge_pages.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <sys/prctl.h>

namespace haloheap::backend {
namespace {

namespace fs = std::filesystem;

constexpr const char* settings = "sys/kernel/mm/transparent_hugepage";

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The word that is in force: "always [madvise] never". Empty if the kernel has no such file.
std::string chosen_word(const fs::path& path) {
  const std::string line = first_line(path);
  const std::size_t open = line.find('['), close = line.find(']', open);
  return close == std::string::npos ? "" : line.substr(open + 1, close - open - 1);
}

/// That of this machine.
std::size_t page_bytes() {
  static const std::size_t bytes = huge_page_bytes();
  return bytes;
}

/// Of no more bytes than the machine has, so that nothing overflows.
std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

/// At a multiple of a huge page; null if there is no room. Maps one page more than it needs, of which it
/// gives back what lies before and behind.
char* map_aligned(std::size_t bytes) {
  void* const mapped =
      mmap(nullptr, bytes + page_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const std::size_t misfit = reinterpret_cast<std::uintptr_t>(mapped) % page_bytes();
  const std::size_t before = misfit == 0 ? 0 : page_bytes() - misfit, behind = page_bytes() - before;
  char* const data = static_cast<char*>(mapped) + before;
  if (before > 0) munmap(mapped, before);
  munmap(data + bytes, behind);
  return data;
}

void advise(char* data, std::size_t bytes, const MemoryRequest& request) {
  if (madvise(data, bytes, MADV_HUGEPAGE) == 0) return;
  const int error = errno;
  munmap(data, bytes);
  const std::string reason = huge_pages_unavailable_reason();
  throw CapabilityError(
      fmt::format("the kernel takes no huge pages for '{}' of {} bytes: {}", request.label, request.bytes,
                  reason.empty() ? std::string(std::strerror(error)) : reason),
      "the block was not allocated", "use memory 'pageable'");
}

}  // namespace

std::size_t huge_page_bytes(const fs::path& root) {
  std::ifstream file(root / settings / "hpage_pmd_size");
  std::size_t bytes = 0;
  file >> bytes;
  return bytes;
}

std::string huge_pages_unavailable_reason(const fs::path& root) {
  const std::size_t bytes = huge_page_bytes(root);
  if (bytes == 0) return fmt::format("this kernel has no transparent huge pages (no /{})", settings);
  // Newer kernels have a setting for each size beside the one for all, which most sizes inherit.
  const std::string of_size = fmt::format("{}/hugepages-{}kB/enabled", settings, bytes / 1024);
  const std::string word = chosen_word(root / of_size);
  const bool inherits = word.empty() || word == "inherit";
  const std::string file = inherits ? fmt::format("{}/enabled", settings) : of_size;
  if ((inherits ? chosen_word(root / file) : word) == "never")
    return fmt::format("transparent huge pages are switched off: /{} says never", file);
  if (prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1)
    return "transparent huge pages are switched off for this process (PR_SET_THP_DISABLE)";
  return "";
}

void* allocate_huge_pages(const MemoryRequest& request) {
  if (request.bytes < page_bytes()) return allocate_pageable(request);
  const MemoryAmount amount = host_memory();
  require_free(request, amount, "the host");
  const std::size_t bytes = whole_pages(request.bytes);
  char* const data = map_aligned(bytes);
  if (data == nullptr) throw_out_of_memory(request, amount, "the host");
  advise(data, bytes, request);
  return data;
}

void deallocate_huge_pages(void* data, std::size_t bytes) noexcept {
  if (bytes < page_bytes()) return deallocate_pageable(data);
  munmap(data, whole_pages(bytes));
}

}  // namespace haloheap::backend
