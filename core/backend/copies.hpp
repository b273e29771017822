// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_COPIES_HPP
#define HALOHEAP_CORE_BACKEND_COPIES_HPP

#include <haloheap/core/backend/instance.hpp>

#include <cstddef>
#include <span>
#include <string>

/// Copies between host and device that are more than one run of bytes, and copies between devices;
/// instance.hpp has the plain one.
namespace haloheap::backend {

/// Enqueues a copy of `rows` rows of `row_bytes` bytes each, which lie `to_pitch` and `from_pitch` bytes
/// apart.
void copy_rows_async(const Exec& exec, void* to, std::size_t to_pitch, const void* from,
                     std::size_t from_pitch, std::size_t row_bytes, std::size_t rows);

/// Enqueues a copy from memory of one device to memory of another, or of the same; `exec` may be of any. It
/// goes by way of the host where neither peer access nor a link is there.
void copy_peer_async(const Exec& exec, void* to, int to_device, const void* from, int from_device,
                     std::size_t bytes);

/// The same of rows, as in copy_rows_async; no pitch may be less than `row_bytes`.
void copy_rows_peer_async(const Exec& exec, void* to, int to_device, std::size_t to_pitch, const void* from,
                          int from_device, std::size_t from_pitch, std::size_t row_bytes, std::size_t rows);

struct Copy {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
};

/// Enqueues all of them with one call, to be done in any order.
void copy_batch_async(const Exec& exec, std::span<const Copy> copies);

/// Why there are no batches here; empty when there are.
std::string copy_batch_unavailable_reason();

}  // namespace haloheap::backend

#endif
