// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/memory_file.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

namespace haloheap::backend {

IpcBlock find_block(const void* data) {
  const auto found = memory_file::find(data);
  if (!found) {
    throw CapabilityError(
        fmt::format(
            "the memory at {} is not device memory of this process: pinned, managed and pageable memory "
            "cannot be shared",
            data),
        "other processes cannot map it", "use memory 'device', of Views memory::DeviceSpace");
  }
  return memory_file::describe(*found, data);
}

bool exists(const IpcBlock& block) {
  return memory_file::exists(block);
}

void* open_block(const IpcBlock& block) {
  return memory_file::open(block);
}

void close_block(const IpcBlock& block, void* base, int /*device*/) noexcept {
  memory_file::close(base, block.bytes);
}

}  // namespace haloheap::backend
