// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/host/emulated_device.hpp>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace haloheap::backend::emulated {
namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

/// Leaves half of the descriptors to the rest of the program, whose files and connections come later.
int largest_file() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  return static_cast<int>(std::min<rlim_t>(limit.rlim_cur / 2, 1 << 20));
}

/// A file without a name: it is gone with the last process that maps it. -1 if there cannot be one.
int make_file(std::size_t bytes) {
  const int file = memfd_create("haloheap-device", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (file <= largest_file() && ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  close(file);
  return -1;
}

struct Blocks {
  std::mutex mutex;
  std::map<const char*, Block> by_base;
  std::size_t bytes = 0;
};

Blocks& blocks() {
  static Blocks& all = *new Blocks;  // outlives every static object that holds memory
  return all;
}

}  // namespace

std::size_t whole_pages(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + page_size() - 1) / page_size() * page_size();
}

void* map(int file, std::size_t bytes) {
  void* const data = mmap(nullptr, bytes + page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  const int kind = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  if (mmap(data, bytes, PROT_READ | PROT_WRITE, kind | MAP_FIXED, file, 0) != MAP_FAILED) return data;
  munmap(data, bytes + page_size());
  return nullptr;
}

void unmap(void* data, std::size_t bytes) noexcept {
  munmap(data, bytes + page_size());
}

void* take(std::size_t bytes) {
  Block block{nullptr, whole_pages(bytes), make_file(whole_pages(bytes))};
  block.base = static_cast<char*>(map(block.file, block.bytes));
  if (block.base == nullptr) {
    if (block.file >= 0) close(block.file);
    return nullptr;
  }
  std::memset(block.base, 0xFF, block.bytes);
  Blocks& all = blocks();
  const std::lock_guard lock(all.mutex);
  all.by_base.emplace(block.base, block);
  all.bytes += block.bytes;
  return block.base;
}

void give_back(void* data) noexcept {
  Blocks& all = blocks();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_base.find(static_cast<const char*>(data));
  if (found == all.by_base.end()) return;
  const Block block = found->second;
  all.by_base.erase(found);
  all.bytes -= block.bytes;
  unmap(block.base, block.bytes);  // under the lock: the address may be given out again at once
  if (block.file >= 0) close(block.file);
}

std::size_t in_use() {
  Blocks& all = blocks();
  const std::lock_guard lock(all.mutex);
  return all.bytes;
}

std::optional<Block> find(const void* data) {
  const auto* const address = static_cast<const char*>(data);
  Blocks& all = blocks();
  const std::lock_guard lock(all.mutex);
  const auto after = all.by_base.upper_bound(address);
  if (after == all.by_base.begin()) return std::nullopt;
  const Block& block = std::prev(after)->second;
  if (address >= block.base + block.bytes) return std::nullopt;
  return block;
}

}  // namespace haloheap::backend::emulated
