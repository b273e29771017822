// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_IPC_BLOCK_HPP
#define HALOHEAP_CORE_BACKEND_IPC_BLOCK_HPP

#include <array>
#include <cstddef>
#include <cstdint>

/// What every backend's folder implements for ipc.hpp; not for other users.
namespace haloheap::backend {

/// The content of an IpcHandle.
struct IpcBlock {
  // Filled in by ipc.cpp: where the block is.
  std::uint64_t node = 0;     ///< no other running kernel has it
  std::uint64_t process = 0;  ///< no other process has it but those that were forked from this one
  std::int32_t pid = 0;
  // Filled in by the backend.
  std::uint32_t device = 0;   ///< for messages: what is in it is the backend's business
  std::uint64_t id = 0;       ///< no other block of the process has or had it
  std::uint64_t base = 0;     ///< the exporter's address of the block
  std::uint64_t offset = 0;   ///< bytes from there
  std::uint64_t bytes = 0;    ///< size of the block
  std::uint64_t in_file = 0;  ///< 1: in a memory file (memory_file.hpp), 0: in memory of the device
  std::array<std::byte, 64> key{};
};

/// The block of this process that `data` points into. \throws CapabilityError if it cannot be shared
IpcBlock find_block(const void* data);
/// Whether a block of this process is still there.
bool exists(const IpcBlock& block);

/// Maps a block of another process for the current device. \throws CapabilityError
void* open_block(const IpcBlock& block);
/// Undoes open_block, which was called while `device` was current.
void close_block(const IpcBlock& block, void* base, int device) noexcept;

}  // namespace haloheap::backend

#endif
