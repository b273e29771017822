// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_HOST_EMULATED_DEVICE_HPP
#define HALOHEAP_CORE_BACKEND_HOST_EMULATED_DEVICE_HPP

#include <cstddef>
#include <optional>

/// The memory of the emulated device: blocks of whole pages, which other processes can map as they can on a
/// GPU.
namespace haloheap::backend::emulated {

struct Block {
  char* base = nullptr;
  std::size_t bytes = 0;  ///< whole pages
  int file = -1;          ///< holds the content; -1: too few descriptors are left, nobody else can map it
};

std::size_t whole_pages(std::size_t bytes);

/// Takes memory filled with 0xFF bytes, a NaN pattern; null if there is none.
void* take(std::size_t bytes);
void give_back(void* data) noexcept;
/// Bytes of all blocks.
std::size_t in_use();

/// The block that `data` points into.
std::optional<Block> find(const void* data);

/// Maps a block's content with an inaccessible page behind it; null if that fails.
void* map(int file, std::size_t bytes);
void unmap(void* data, std::size_t bytes) noexcept;

}  // namespace haloheap::backend::emulated

#endif
