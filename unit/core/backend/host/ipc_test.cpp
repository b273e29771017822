// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The emulated device's memory in other processes.
#include <haloheap/core/backend/ipc.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/base/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace haloheap::backend {
namespace {

constexpr std::size_t bytes = 10007;

/// A block of the emulated device.
class Block {
 public:
  explicit Block(std::size_t size = bytes)
      : size_(size), data_(static_cast<char*>(allocate({MemoryKind::device, size, 256, "block", 0}))) {}
  ~Block() { release(); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  char* data() const { return data_; }
  void release() {
    if (data_ != nullptr) deallocate(MemoryKind::device, data_, size_, 0);
    data_ = nullptr;
  }

 private:
  std::size_t size_;
  char* data_;
};

/// Runs in a forked process; its exit code, or -1 if it crashed.
int in_child(const std::function<int()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    int code = 99;
    try {
      code = action();
    } catch (...) {
    }
    _exit(code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

template <class Exception>
std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(HostIpc, another_process_reads_and_writes_the_block) {
  const Block block;
  std::memset(block.data(), 3, bytes);
  const IpcHandle handle = export_memory(block.data() + 100);
  const int code = in_child([&] {
    const IpcMapping mapping(handle);
    auto* const data = static_cast<char*>(mapping.data());
    if (data == block.data() + 100 || data[0] != 3 || data[bytes - 101] != 3) return 1;
    data[0] = 7;
    data[bytes - 101] = 8;
    data[-100] = 9;
    return 0;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(block.data()[100], 7);
  EXPECT_EQ(block.data()[bytes - 1], 8);
  EXPECT_EQ(block.data()[0], 9);
}

TEST(HostIpc, a_mapping_has_an_inaccessible_page_behind_it) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const Block block(2 * page);
  const IpcHandle handle = export_memory(block.data());
  const auto write_at = [&](std::size_t index) {
    return in_child([&] {
      std::signal(SIGSEGV, SIG_DFL);
      const IpcMapping mapping(handle);
      static_cast<volatile char*>(mapping.data())[index] = 1;
      return 0;
    });
  };
  EXPECT_EQ(write_at(2 * page - 1), 0);
  EXPECT_EQ(write_at(2 * page), -1);
}

TEST(HostIpc, a_process_gets_its_own_address_back) {
  const Block block;
  const std::size_t opened = ipc_counts().opened;
  const IpcMapping mapping(export_memory(block.data() + 5));
  EXPECT_EQ(mapping.data(), block.data() + 5);
  EXPECT_EQ(ipc_counts().open, 0U);
  EXPECT_EQ(ipc_counts().opened, opened);
}

TEST(HostIpc, one_mapping_serves_all_handles_of_a_block) {
  const Block block, other;
  const IpcHandle front = export_memory(block.data()), back = export_memory(block.data() + 4096);
  const IpcHandle different = export_memory(other.data());
  EXPECT_EQ(front, export_memory(block.data()));
  EXPECT_FALSE(front == back);
  const int code = in_child([&] {
    {
      IpcMapping a(front);
      std::optional<IpcMapping> b(std::in_place, back);
      const IpcMapping c(different);
      if (static_cast<char*>(b->data()) != static_cast<char*>(a.data()) + 4096) return 1;
      if (ipc_counts().open != 2 || ipc_counts().opened != 2) return 2;
      b.reset();
      static_cast<char*>(a.data())[0] = 1;
      IpcMapping moved(std::move(a));
      a = IpcMapping(back);
      if (ipc_counts().open != 2 || ipc_counts().opened != 2) return 3;
      moved = IpcMapping(different);
      static_cast<char*>(a.data())[0] = 1;
    }
    if (ipc_counts().open != 0) return 4;
    const IpcMapping again(back);
    return ipc_counts().open == 1 && ipc_counts().opened == 3 ? 0 : 5;
  });
  EXPECT_EQ(code, 0);
}

/// A process that takes a block, hands its handle over and lives until it is told to end.
class Exporter {
 public:
  Exporter() {
    void* const shared =
        mmap(nullptr, sizeof(IpcHandle), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    handle_ = new (shared) IpcHandle;
    if (pipe2(ready_, O_CLOEXEC) != 0 || pipe2(end_, O_CLOEXEC) != 0) std::abort();
    child_ = fork();
    if (child_ == 0) live();
    char ready = 0;
    if (::read(ready_[0], &ready, 1) != 1) std::abort();
  }
  ~Exporter() {
    end();
    for (const int file : {ready_[0], ready_[1], end_[0]}) close(file);
    munmap(handle_, sizeof(IpcHandle));
  }
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  const IpcHandle& handle() const { return *handle_; }
  void end() {
    if (child_ == 0) return;
    close(end_[1]);
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }

 private:
  void live() {
    close(end_[1]);
    const Block block;
    std::memset(block.data(), 42, bytes);
    *handle_ = export_memory(block.data());
    char byte = 1;
    if (write(ready_[1], &byte, 1) != 1 || ::read(end_[0], &byte, 1) != 0) _exit(1);
    _exit(0);
  }

  IpcHandle* handle_;
  int ready_[2], end_[2];
  pid_t child_ = 0;
};

/// Whether anything is mapped at the page of `address`.
bool mapped(const char* address) {
  unsigned char in_memory = 0;
  return mincore(const_cast<char*>(address), 1, &in_memory) == 0;
}

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

TEST(HostIpc, a_mapping_that_has_ended_leaves_nothing_behind) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const Block block(page);
  const IpcHandle handle = export_memory(block.data());
  const int code = in_child([&] {
    const std::ptrdiff_t descriptors = open_descriptors();
    const char* data = nullptr;
    {
      const IpcMapping mapping(handle);
      data = static_cast<const char*>(mapping.data());
      if (!mapped(data) || !mapped(data + page)) return 1;
      if (open_descriptors() != descriptors) return 2;
    }
    if (mapped(data)) return 3;
    return mapped(data + page) ? 4 : 0;
  });
  EXPECT_EQ(code, 0);
}

/// Four threads map the exporter's block so many times each: how often the address or what lies there was
/// wrong.
int wrong_of_threads(int times, const Exporter& exporter, const std::function<bool(const char*)>& is_right) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < times; ++i) {
        const IpcMapping mapping(exporter.handle());
        const auto* const data = static_cast<const char*>(mapping.data());
        if (!is_right(data) || data[bytes - 1] != 42) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

TEST(HostIpc, threads_share_one_mapping) {
  const Exporter exporter;
  const std::size_t opened = ipc_counts().opened;
  {
    const IpcMapping kept(exporter.handle());
    EXPECT_EQ(wrong_of_threads(200, exporter, [&](const char* data) { return data == kept.data(); }), 0);
    EXPECT_EQ(ipc_counts().open, 1U);
  }
  EXPECT_EQ(ipc_counts().open, 0U);
  EXPECT_EQ(ipc_counts().opened, opened + 1);
}

TEST(HostIpc, threads_open_and_close_a_block_at_once) {
  const Exporter exporter;
  EXPECT_EQ(wrong_of_threads(5000, exporter, [](const char* /*data*/) { return true; }), 0);
  EXPECT_EQ(ipc_counts().open, 0U);
}

TEST(HostIpc, a_mapping_outlives_the_exporter_and_a_handle_does_not) {
  Exporter exporter;
  {
    const IpcMapping mapping(exporter.handle());
    exporter.end();
    EXPECT_EQ(static_cast<const char*>(mapping.data())[bytes - 1], 42);
  }
  const std::string text = message_of<CapabilityError>([&] { IpcMapping mapping(exporter.handle()); });
  EXPECT_TRUE(contains(text, "cannot be mapped here: /proc/")) << text;
  EXPECT_TRUE(contains(text, "remedy: use transport pinned for that neighbour, or auto")) << text;
  EXPECT_EQ(ipc_counts().open, 0U);
}

TEST(HostIpc, a_released_block_cannot_be_mapped) {
  Block block;
  const IpcHandle handle = export_memory(block.data());
  block.release();
  EXPECT_TRUE(contains(message_of<CapabilityError>([&] { IpcMapping mapping(handle); }),
                       "the handle's block, which is of this process itself, was released"));
  const auto refused = [&] {
    return in_child([&] {
      return contains(message_of<CapabilityError>([&] { IpcMapping mapping(handle); }),
                      "cannot be mapped here")
                 ? 0
                 : 1;
    });
  };
  EXPECT_EQ(refused(), 0) << "no such descriptor";
  {
    const Block next;  // most likely the same descriptor, and the same address
    EXPECT_EQ(refused(), 0);
    EXPECT_THROW(IpcMapping mapping(handle), CapabilityError);
  }
}

TEST(HostIpc, only_device_memory_can_be_exported) {
  for (const MemoryKind kind : {MemoryKind::pinned, MemoryKind::managed, MemoryKind::pageable}) {
    void* const data = allocate({kind, bytes, 64, "other", 0});
    const std::string text = message_of<CapabilityError>([&] { export_memory(data); });
    EXPECT_TRUE(contains(text, "is not device memory of this process")) << text;
    EXPECT_TRUE(contains(text, "remedy: use memory 'device'")) << text;
    deallocate(kind, data, bytes, 0);
  }
  int local = 0;
  EXPECT_THROW(export_memory(&local), CapabilityError);
  EXPECT_THROW(export_memory(nullptr), CapabilityError);
  const Block block(4096);
  EXPECT_THROW(export_memory(block.data() - 1), CapabilityError);
  EXPECT_THROW(export_memory(block.data() + 4096), CapabilityError);
  EXPECT_NO_THROW(export_memory(block.data() + 4095));
}

TEST(HostIpc, bytes_that_are_no_handle_are_refused) {
  EXPECT_TRUE(contains(message_of<UsageError>([] { IpcMapping mapping(IpcHandle{}); }),
                       "these bytes are no handle of device memory"));
  const Block block;
  IpcHandle handle = export_memory(block.data());
  handle.bytes[0] ^= std::byte{1};
  EXPECT_TRUE(
      contains(message_of<CapabilityError>([&] { IpcMapping mapping(handle); }), "runs on another node"));
}

TEST(HostIpc, blocks_leave_file_descriptors_to_others) {
  const int code = in_child([] {  // the limit stays low in the child alone
    const rlimit limit{64, 64};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return 1;
    std::vector<char*> blocks;
    for (int i = 0; i < 200; ++i)
      blocks.push_back(static_cast<char*>(allocate({MemoryKind::device, 100, 256, "small", 0})));
    const int file = open("/proc/self/stat", O_RDONLY);
    if (file < 0) return 2;
    for (char* block : blocks) std::memset(block, 1, 100);
    export_memory(blocks.front());
    const std::string text = message_of<CapabilityError>([&] { export_memory(blocks.back()); });
    if (!contains(text, "is without a file descriptor") ||
        !contains(text, "remedy: raise the limit (ulimit -n)"))
      return 3;
    for (char* block : blocks) deallocate(MemoryKind::device, block, 100, 0);
    const Block block;
    export_memory(block.data());
    return 0;
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace haloheap::backend
