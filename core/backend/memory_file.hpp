// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_MEMORY_FILE_HPP
#define HALOHEAP_CORE_BACKEND_MEMORY_FILE_HPP

#include <haloheap/core/backend/ipc_block.hpp>

#include <cstddef>
#include <optional>

/// Memory of the host that other processes can map: Linux memory files, without a name, gone with the last
/// process that has them open or mapped. For the backends: it is all the memory that an emulated device has,
/// and what a real one shares with the host and with other processes.
namespace haloheap::backend::memory_file {

struct Block {
  char* base = nullptr;
  std::size_t bytes = 0;  ///< whole pages, with an inaccessible one behind them
  int file = -1;          ///< holds the content; -1: too few descriptors are left, nobody else can map it
};

/// Takes memory filled with 0xFF bytes, a NaN pattern; null if there is none.
void* take(std::size_t bytes);
void give_back(void* data) noexcept;
/// Bytes of all blocks.
std::size_t in_use();

/// The block that `data` points into.
std::optional<Block> find(const void* data);

/// What IpcBlock says of a block, for ipc_block.hpp. \throws CapabilityError if it has no file
IpcBlock describe(const Block& block, const void* data);
bool exists(const IpcBlock& block);
/// Maps a block of another process. \throws CapabilityError
void* open(const IpcBlock& block);
void close(void* base, std::size_t bytes) noexcept;

}  // namespace haloheap::backend::memory_file

#endif
