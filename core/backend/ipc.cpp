// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/ipc.hpp>
#include <haloheap/core/backend/ipc_block.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <compare>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <unistd.h>
#include <utility>

namespace haloheap::backend {
namespace {

static_assert(sizeof(IpcBlock) <= sizeof(IpcHandle));

/// The kernel's boot: processes in different containers of one node have it in common.
std::uint64_t this_node() {
  static const std::uint64_t node = [] {
    std::string boot;
    std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
    return std::uint64_t{std::hash<std::string>{}(boot)};
  }();
  return node;
}

/// Process numbers repeat, in other containers and in time.
std::uint64_t this_process() {
  static const std::uint64_t process = [] {
    std::random_device random;
    return (std::uint64_t{random()} << 32 | random()) | 1;  // not zero, which is no handle's
  }();
  return process;
}

IpcBlock decode(const IpcHandle& handle) {
  IpcBlock block;
  std::memcpy(&block, handle.bytes.data(), sizeof block);
  if (block.process == 0) {
    throw UsageError("these bytes are no handle of device memory", "no memory was mapped",
                     "pass on what backend::export_memory returned");
  }
  if (block.node != this_node()) {
    throw CapabilityError(fmt::format("process {} runs on another node", block.pid),
                          "its device memory cannot be mapped here",
                          "use transport pinned for that neighbour, or auto");
  }
  return block;
}

bool is_own(const IpcBlock& block) {
  return block.process == this_process() && block.pid == getpid();
}

void* own_address(const IpcBlock& block) {
  if (!exists(block)) {
    throw CapabilityError("the handle's block, which is of this process itself, was released",
                          "there is nothing to map", "keep the block while others use its handle");
  }
  return reinterpret_cast<void*>(block.base + block.offset);
}

}  // namespace

/// A mapping belongs to a device.
struct MappingKey {
  std::uint64_t process;
  std::int32_t pid;
  std::uint64_t id;
  std::uint64_t in_file;
  int device;

  auto operator<=>(const MappingKey&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 sees a 0 here
};

struct IpcMapping::Opened {
  MappingKey key{};
  IpcBlock block;
  void* base = nullptr;
  std::size_t users = 0;
};

struct OpenedBlocks {
  std::mutex mutex;
  std::map<MappingKey, IpcMapping::Opened> blocks;  // whose elements stay where they are
  std::size_t opened = 0;

  IpcMapping::Opened* open(const IpcBlock& block) {
    const MappingKey key{block.process, block.pid, block.id, block.in_file, current_device()};
    const std::lock_guard lock(mutex);
    auto found = blocks.find(key);
    if (found == blocks.end()) {
      found = blocks.try_emplace(key).first;
      try {
        found->second = {key, block, open_block(block), 0};
      } catch (...) {
        blocks.erase(found);
        throw;
      }
      ++opened;
    }
    ++found->second.users;
    return &found->second;
  }

  void close(IpcMapping::Opened* block) noexcept {
    const std::lock_guard lock(mutex);
    if (--block->users > 0) return;
    close_block(block->block, block->base, block->key.device);
    blocks.erase(MappingKey(block->key));
  }

  static OpenedBlocks& instance() {
    static OpenedBlocks blocks;
    return blocks;
  }
};

IpcHandle export_memory(const void* data) {
  IpcBlock block = find_block(data);
  block.node = this_node();
  block.process = this_process();
  block.pid = getpid();
  IpcHandle handle;
  std::memcpy(handle.bytes.data(), &block, sizeof block);
  return handle;
}

IpcMapping::IpcMapping(const IpcHandle& handle) {
  const IpcBlock block = decode(handle);
  if (is_own(block)) {
    data_ = own_address(block);
  } else {
    opened_ = OpenedBlocks::instance().open(block);
    data_ = static_cast<char*>(opened_->base) + block.offset;
  }
}

IpcMapping::~IpcMapping() {
  if (opened_ != nullptr) OpenedBlocks::instance().close(opened_);
}

IpcMapping::IpcMapping(IpcMapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), opened_(std::exchange(other.opened_, nullptr)) {}

IpcMapping& IpcMapping::operator=(IpcMapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(opened_, other.opened_);
  return *this;
}

IpcCounts ipc_counts() {
  OpenedBlocks& all = OpenedBlocks::instance();
  const std::lock_guard lock(all.mutex);
  return {all.blocks.size(), all.opened};
}

}  // namespace haloheap::backend
