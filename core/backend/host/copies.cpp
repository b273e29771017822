// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/copies.hpp>
#include <haloheap/core/backend/host/queues.hpp>

#include <cstring>

namespace haloheap::backend {

void copy_rows_async(const Exec& exec, void* to, std::size_t to_pitch, const void* from,
                     std::size_t from_pitch, std::size_t row_bytes, std::size_t rows) {
  host::enqueue(exec, [=] {
    for (std::size_t row = 0; row < rows; ++row)
      std::memcpy(static_cast<std::byte*>(to) + row * to_pitch,
                  static_cast<const std::byte*>(from) + row * from_pitch, row_bytes);
  });
}

void copy_peer_async(const Exec& exec, void* to, int /*to_device*/, const void* from, int /*from_device*/,
                     std::size_t bytes) {
  copy_async(exec, to, from, bytes);
}

void copy_rows_peer_async(const Exec& exec, void* to, int /*to_device*/, std::size_t to_pitch,
                          const void* from, int /*from_device*/, std::size_t from_pitch,
                          std::size_t row_bytes, std::size_t rows) {
  copy_rows_async(exec, to, to_pitch, from, from_pitch, row_bytes, rows);
}

void copy_batch_async(const Exec& exec, std::span<const Copy> copies) {
  for (const Copy& copy : copies) copy_async(exec, copy.to, copy.from, copy.bytes);
}

std::string copy_batch_unavailable_reason() {
  return "";
}

}  // namespace haloheap::backend
