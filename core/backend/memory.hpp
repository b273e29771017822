// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_MEMORY_HPP
#define HALOHEAP_CORE_BACKEND_MEMORY_HPP

#include <haloheap/core/backend/memory_properties.hpp>

#include <cstddef>
#include <string>
#include <string_view>

/// Raw memory of the machine. Every backend's folder implements this header; on the host backend the device
/// is emulated: an arena of its own, reached by copies only, so that every staging path runs without a GPU.
namespace haloheap::backend {

enum class MemoryKind {
  device,
  pinned,
  managed,
  pageable,
  write_combined,  ///< pinned memory that the host does not cache: fast to write, and very slow to read
  registered,      ///< ordinary memory, page-locked for the device
  shared,  ///< pinned memory that other processes of the node can map, and have pinned for their devices too
};

/// The kind's name, as in messages.
std::string_view to_string(MemoryKind kind);

/// One request for memory; everything that a message about it needs.
struct MemoryRequest {
  MemoryKind kind = MemoryKind::pageable;
  std::size_t bytes = 0;      ///< zero counts as one
  std::size_t alignment = 1;  ///< a power of two, at most properties(kind, device).max_alignment
  std::string_view label;
  int device = 0;
  std::string_view memory = "";  ///< what messages call it; empty: the kind's name
};

/// \throws OutOfMemory, DeviceError, CapabilityError if there is no such device; never returns null
void* allocate(const MemoryRequest& request);

/// Gives back what allocate returned for this kind, number of bytes and device.
void deallocate(MemoryKind kind, void* data, std::size_t bytes, int device) noexcept;

/// Why this build or machine has no memory of that kind; empty when it has.
std::string unavailable_reason(MemoryKind kind);

Properties properties(MemoryKind kind, int device);

/// The device that is current in this thread; 0 when there is none or when it is emulated. Kokkos changes it
/// where instances of several devices are used.
int current_device();

struct MemoryAmount {
  std::size_t free = 0;   ///< bytes that can still be taken
  std::size_t total = 0;  ///< bytes there are
};

MemoryAmount device_memory(int device);

}  // namespace haloheap::backend

#endif
