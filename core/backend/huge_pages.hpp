// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_HUGE_PAGES_HPP
#define HALOHEAP_CORE_BACKEND_HUGE_PAGES_HPP

#include <haloheap/core/backend/memory.hpp>

#include <filesystem>

/// Ordinary memory of the host for which the kernel is asked to use huge pages (Linux: transparent huge
/// pages), so that one entry of the processor's address cache covers 2 MiB, as a rule, instead of 4 KiB. The
/// same for every backend.
namespace haloheap::backend {

/// Bytes of a huge page, as the kernel says; 0 if it has none. `root` is where /sys is mounted.
std::size_t huge_page_bytes(const std::filesystem::path& root = "/");

/// Why no huge pages can be had here; empty when they can. They may be switched off for the machine, for this
/// size or for the process.
std::string huge_pages_unavailable_reason(const std::filesystem::path& root = "/");

/// Whole huge pages, as many as hold the request, at a multiple of their size; a request that is smaller than
/// one is ordinary pageable memory. Pages are filled in by whoever writes to them first; where the kernel
/// finds no huge one it takes small ones.
/// \throws OutOfMemory; CapabilityError when the kernel refuses huge pages
void* allocate_huge_pages(const MemoryRequest& request);

/// Gives back what allocate_huge_pages returned for that number of bytes.
void deallocate_huge_pages(void* data, std::size_t bytes) noexcept;

}  // namespace haloheap::backend

#endif
