// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_HOST_MEMORY_HPP
#define HALOHEAP_CORE_BACKEND_HOST_MEMORY_HPP

#include <haloheap/core/backend/memory.hpp>

#include <filesystem>

/// Memory of the host: the same for every backend.
namespace haloheap::backend {

/// Bytes of host memory, free ones as the kernel estimates them (MemAvailable), both cut to what the control
/// groups (v1 and v2) of this process leave. `root` is where /proc and /sys are mounted. \throws
/// CapabilityError when the kernel does not say (not Linux)
MemoryAmount host_memory(const std::filesystem::path& root = "/");

/// Pageable memory, after a look at host_memory: Linux promises more than it has and kills the process on
/// use. \throws OutOfMemory
void* allocate_pageable(const MemoryRequest& request);
void deallocate_pageable(void* data) noexcept;

/// The largest alignment that allocate_pageable takes: a huge page.
inline constexpr std::size_t max_pageable_alignment = std::size_t{2} << 20;

/// Throws OutOfMemory if `amount` cannot hold the request; `place` names the memory ("host", "device 0").
void require_free(const MemoryRequest& request, const MemoryAmount& amount, std::string_view place);

[[noreturn]] void throw_out_of_memory(const MemoryRequest& request, const MemoryAmount& amount,
                                      std::string_view place);

/// Smaller requests than this skip the look at the free memory: it costs more than it protects.
inline constexpr std::size_t checked_bytes = std::size_t{1} << 20;

}  // namespace haloheap::backend

#endif
