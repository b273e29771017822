// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_ARRAY_SUPPORT_HPP
#define HALOHEAP_CORE_MEMORY_ARRAY_SUPPORT_HPP

#include <haloheap/core/memory/resource.hpp>

#include <cstddef>
#include <string>

/// The checks of Array that do not depend on its element type.
namespace haloheap::memory::detail {

/// \throws UsageError for a null resource; OutOfMemory if the number of bytes cannot be written down
void require_array_fits(const MemoryResource* resource, const std::string& label, std::size_t size,
                        std::size_t element_bytes);

void require_same_size(const std::string& to, std::size_t to_size, const std::string& from,
                       std::size_t from_size);

[[noreturn]] void throw_inaccessible(const MemoryResource& resource, const std::string& label,
                                     const char* who);

}  // namespace haloheap::memory::detail

#endif
