// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/memory_file.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace haloheap::backend::memory_file {
namespace {

/// In IpcBlock::key.
struct Key {
  int file = -1;
  std::uint64_t device = 0;
};
static_assert(sizeof(Key) <= sizeof IpcBlock::key);

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t whole_pages(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + page_size() - 1) / page_size() * page_size();
}

/// Leaves half of the descriptors to the rest of the program, whose files and connections come later.
int largest_file() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  return static_cast<int>(std::min<rlim_t>(limit.rlim_cur / 2, 1 << 20));
}

/// -1 if there cannot be one.
int make_file(std::size_t bytes) {
  const int file = memfd_create("haloheap", MFD_CLOEXEC);
  if (file < 0) return -1;
  if (file <= largest_file() && ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  ::close(file);
  return -1;
}

/// With an inaccessible page behind it; null if that fails.
void* map(int file, std::size_t bytes) {
  void* const data = mmap(nullptr, bytes + page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  const int kind = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
  if (mmap(data, bytes, PROT_READ | PROT_WRITE, kind | MAP_FIXED, file, 0) != MAP_FAILED) return data;
  munmap(data, bytes + page_size());
  return nullptr;
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

[[noreturn]] void refuse(const IpcBlock& block, const std::string& why) {
  throw CapabilityError(
      fmt::format("memory of process {} cannot be mapped here: {}", block.pid, why),
      "its halo cannot be read or written directly",
      "use transport pinned for that neighbour, or auto; keep the block while others use its handle");
}

}  // namespace

void* take(std::size_t bytes) {
  Block block{nullptr, whole_pages(bytes), make_file(whole_pages(bytes))};
  block.base = static_cast<char*>(map(block.file, block.bytes));
  if (block.base == nullptr) {
    if (block.file >= 0) ::close(block.file);
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
  close(block.base, block.bytes);  // under the lock: the address may be given out again at once
  if (block.file >= 0) ::close(block.file);
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

IpcBlock describe(const Block& found, const void* data) {
  if (found.file < 0) {
    throw CapabilityError(
        fmt::format(
            "the block of {} bytes at {} is without a file descriptor: half of those that this process "
            "may have are in use",
            found.bytes, data),
        "other processes cannot map it", "raise the limit (ulimit -n) or take fewer blocks");
  }
  struct stat status {};
  fstat(found.file, &status);
  const Key key{found.file, status.st_dev};
  IpcBlock block;
  block.in_file = 1;
  block.id = status.st_ino;
  block.base = reinterpret_cast<std::uint64_t>(found.base);
  block.offset = static_cast<std::uint64_t>(static_cast<const char*>(data) - found.base);
  block.bytes = found.bytes;
  std::memcpy(block.key.data(), &key, sizeof key);
  return block;
}

bool exists(const IpcBlock& block) {
  const auto found = find(reinterpret_cast<const void*>(block.base));
  struct stat status {};
  return found && found->file >= 0 && fstat(found->file, &status) == 0 && status.st_ino == block.id;
}

void* open(const IpcBlock& block) {
  Key key;
  std::memcpy(&key, block.key.data(), sizeof key);
  const std::string path = fmt::format("/proc/{}/fd/{}", block.pid, key.file);
  struct stat status {};
  // Before it is opened: the number may stand for anything by now, a terminal or a pipe.
  if (stat(path.c_str(), &status) != 0) refuse(block, fmt::format("{}: {}", path, std::strerror(errno)));
  if (status.st_ino != block.id || status.st_dev != key.device) refuse(block, "the block was released");
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) refuse(block, fmt::format("{}: {}", path, std::strerror(errno)));
  void* const base = map(file, block.bytes);
  const int error = errno;
  ::close(file);
  if (base == nullptr) refuse(block, fmt::format("mmap: {}", std::strerror(error)));
  return base;
}

void close(void* base, std::size_t bytes) noexcept {
  munmap(base, bytes + page_size());
}

}  // namespace haloheap::backend::memory_file
