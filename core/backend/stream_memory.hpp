// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_STREAM_MEMORY_HPP
#define HALOHEAP_CORE_BACKEND_STREAM_MEMORY_HPP

#include <haloheap/core/backend/instance.hpp>

#include <cstddef>
#include <string>
#include <string_view>

/// Device memory that is taken and given back in the order of an instance's work, from a pool of the driver.
namespace haloheap::backend {

/// For work that is enqueued on `exec` from now on. \throws OutOfMemory, DeviceError
void* allocate_async(const Exec& exec, std::size_t bytes, std::string_view label);
/// After the work that is enqueued on `exec`; of the same number of bytes.
void deallocate_async(const Exec& exec, void* data, std::size_t bytes) noexcept;

/// Why there is no such memory here; empty when there is.
std::string stream_memory_unavailable_reason();

}  // namespace haloheap::backend

#endif
