// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_MIGRATION_HPP
#define HALOHEAP_CORE_BACKEND_MIGRATION_HPP

#include <haloheap/core/backend/instance.hpp>

#include <cstddef>
#include <string>

/// Where the pages of managed memory are, and who reaches ordinary memory. On host backends both sides are
/// one.
namespace haloheap::backend {

enum class Side { host, device };

/// Enqueues that these pages go to the current device, or to the host.
void prefetch_async(const Exec& exec, void* data, std::size_t bytes, Side side);

/// These pages are to stay on the host, and the current device reaches them there.
void keep_on_host(void* data, std::size_t bytes);

/// Why pages of managed memory cannot be sent, and used by host and device at one time; empty when they can.
std::string prefetch_unavailable_reason();

/// Why kernels cannot use ordinary host memory; empty when they can.
std::string pageable_access_unavailable_reason();

}  // namespace haloheap::backend

#endif
