// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHECKED_LEAKS_HPP
#define HALOHEAP_ALLOCATORS_CHECKED_LEAKS_HPP

#include <haloheap/allocators/checked/checked_handle.hpp>
#include <haloheap/allocators/promises.hpp>
#include <haloheap/core/lanes/platform.hpp>

#include <functional>

/// The host's side of a checked heap, whatever the allocator.
namespace haloheap {

/// Blocks that are out, as errors.
ErrorBooks find_leaks(const HeapConfig::Exec& exec, const HeapConfig& config,
                      const Array<GranuleBits<Platform>::Word>& starts, const CheckedBooks<Platform>& books);

/// The configuration. @throws UsageError for an allocator whose blocks do not stand in a pool of its own
const HeapConfig& require_pool(const char* allocator, const HeapConfig& config, const Promises& promises);

/// Writes to stderr what nobody has asked for, and what was not given back. Waits for all kernels.
void tell(const std::string& label, const ErrorBooks& errors, std::uint64_t told,
          const std::function<ErrorBooks(const HeapConfig::Exec&)>& leaks) noexcept;

}  // namespace haloheap

#endif
