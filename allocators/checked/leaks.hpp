// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHECKED_LEAKS_HPP
#define HALOHEAP_ALLOCATORS_CHECKED_LEAKS_HPP

#include <haloheap/allocators/checked/checked_handle.hpp>
#include <haloheap/allocators/checked/named_errors.hpp>
#include <haloheap/allocators/promises.hpp>
#include <haloheap/core/lanes/platform.hpp>

#include <functional>

/// The host's side of a checked heap, whatever the allocator.
namespace haloheap::allocators::detail {

/// Blocks that are out, as errors.
ErrorMetadata find_leaks(const HeapConfig::Exec& exec, const HeapConfig& config,
                         const memory::Array<GranuleBits<lanes::Platform>::Word>& starts,
                         const CheckedMetadata<lanes::Platform>& metadata);

/// The configuration. @throws UsageError for an allocator whose blocks do not stand in a pool of its own
const HeapConfig& require_pool(const char* allocator, const HeapConfig& config, const Promises& promises);

/// Writes to stderr what nobody has asked for, and what was not given back. Waits for all kernels.
void tell(const std::string& label, const NamedErrors& errors, std::uint64_t told,
          const std::function<ErrorMetadata(const HeapConfig::Exec&)>& leaks) noexcept;

}  // namespace haloheap::allocators::detail

#endif
