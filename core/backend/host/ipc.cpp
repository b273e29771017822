// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/host/emulated_device.hpp>
#include <haloheap/core/backend/ipc_block.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace haloheap::backend {
namespace {

/// In IpcBlock::key.
struct File {
  int number = -1;
  std::uint64_t device = 0;
};

std::uint64_t id_of(const struct stat& status) {
  return status.st_ino;
}

[[noreturn]] void refuse(const IpcBlock& block, const std::string& why) {
  throw CapabilityError(
      fmt::format("the emulated device's memory of process {} cannot be mapped here: {}", block.pid, why),
      "its halo cannot be read or written directly",
      "use halo.transport = pinned for that neighbour, or auto; keep the block while others use its handle");
}

}  // namespace

IpcBlock find_block(const void* data) {
  const auto found = emulated::find(data);
  if (!found) {
    throw CapabilityError(
        fmt::format(
            "the memory at {} is not device memory of this process: pinned, managed and pageable memory "
            "cannot be shared",
            data),
        "other processes cannot map it", "use memory 'device'");
  }
  if (found->file < 0) {
    throw CapabilityError(
        fmt::format(
            "the block of {} bytes at {} is without a file descriptor: half of those that this process "
            "may have are in use",
            found->bytes, data),
        "other processes cannot map it", "raise the limit (ulimit -n) or take fewer blocks");
  }
  struct stat status {};
  fstat(found->file, &status);
  const File file{found->file, status.st_dev};
  IpcBlock block;
  block.id = id_of(status);
  block.base = reinterpret_cast<std::uint64_t>(found->base);
  block.offset = static_cast<std::uint64_t>(static_cast<const char*>(data) - found->base);
  block.bytes = found->bytes;
  static_assert(sizeof file <= sizeof block.key);
  std::memcpy(block.key.data(), &file, sizeof file);
  return block;
}

bool exists(const IpcBlock& block) {
  const auto found = emulated::find(reinterpret_cast<const void*>(block.base));
  struct stat status {};
  return found && found->file >= 0 && fstat(found->file, &status) == 0 && id_of(status) == block.id;
}

void* open_block(const IpcBlock& block) {
  File key;
  std::memcpy(&key, block.key.data(), sizeof key);
  const std::string path = fmt::format("/proc/{}/fd/{}", block.pid, key.number);
  struct stat status {};
  // Before it is opened: the number may stand for anything by now, a terminal or a pipe.
  if (stat(path.c_str(), &status) != 0) refuse(block, fmt::format("{}: {}", path, std::strerror(errno)));
  if (id_of(status) != block.id || status.st_dev != key.device) refuse(block, "the block was released");
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) refuse(block, fmt::format("{}: {}", path, std::strerror(errno)));
  void* const base = emulated::map(file, block.bytes);
  const int error = errno;
  close(file);
  if (base == nullptr) refuse(block, fmt::format("mmap: {}", std::strerror(error)));
  return base;
}

void close_block(void* base, std::size_t bytes, int /*device*/) noexcept {
  emulated::unmap(base, bytes);
}

}  // namespace haloheap::backend
